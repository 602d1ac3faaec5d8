// Chromium for the tests of the page and of the atlas: a browser, a new tab for each test, and the
// faults that a test ends with. MODULES has playwright-core and axe-core, CHROMIUM is the browser,
// and SHOTS, if it is named, gets pictures.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const { MODULES, CHROMIUM } = process.env;
export const { SHOTS } = process.env;
export const require = createRequire(join(resolve(MODULES), 'package.json'));
export const testdata = fileURLToPath(new URL('../../testdata/', import.meta.url));

export let context;
/** The tab of the test. */
export let page;
/** Messages of faults: in the page, and addresses that it should not ask for. */
export let problems = [];

/** Starts the browser before the tests. `mayAsk` says which addresses the page may ask for. */
export function useBrowser({ timeout, mayAsk }) {
    let profile;

    before(async () => {
        const { chromium } = require('playwright-core');
        profile = mkdtempSync(join(tmpdir(), 'chomp-page-'));
        context = await chromium.launchPersistentContext(profile, {
            executablePath: CHROMIUM ?? '/usr/bin/chromium',
            headless: true,
            viewport: { width: 1000, height: 900 },
            args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
                '--disable-background-networking', '--disable-component-update', '--disable-sync'],
        });
        context.setDefaultTimeout(timeout);
    });

    after(async () => {
        await context?.close();
        rmSync(profile, { recursive: true, force: true });
    });

    beforeEach(async () => {
        await page?.close();
        page = await context.newPage();
        problems = [];
        page.on('request', (request) => { if (!mayAsk(request.url())) problems.push(request.url()); });
        page.on('pageerror', (error) => problems.push(error.message));
        page.on('console', (message) => { if (message.type() === 'error') problems.push(message.text()); });
    });
}

/** A test at whose end nothing has gone wrong in the page, and no other server was asked. */
export function check(name, steps) {
    test(name, async () => {
        await steps();
        assert.deepEqual(problems, []);
    });
}

export const text = (selector) => page.locator(selector).innerText();
export const shows = (selector, words) => page.locator(selector).filter({ hasText: words }).first().waitFor();
