// The main parts of the page in Firefox. Run by .ci/web, as page.test.mjs is; FIREFOX is the browser.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';

const { PAGE, MODULES, FIREFOX } = process.env;
const require = createRequire(join(resolve(MODULES), 'package.json'));
const puppeteer = require('puppeteer-core');
const address = pathToFileURL(join(resolve(PAGE), 'index.html')).href;

let browser;
let page;
const problems = [];

before(async () => {
    browser = await puppeteer.launch({ browser: 'firefox', executablePath: FIREFOX, headless: true });
    page = await browser.newPage();
    page.setDefaultTimeout(60000);
    page.on('pageerror', (error) => problems.push(error.message));
});

after(() => browser?.close());

const open = (hash) => page.goto(`${address}#${hash}`);

const shows = (selector, words) => page.waitForFunction((place, part) =>
    document.querySelector(place)?.innerText.includes(part), {}, selector, words);

function check(name, steps) {
    test(name, async () => {
        await steps();
        assert.deepEqual(problems, []);
    });
}

check('Firefox answers a position', async () => {
    await open('position=8x10');
    // The 2005 paper, 7.1: 8 x 10 has two winning openings.
    await shows('#position-answer', 'is an N-position');
    assert.equal((await page.$$('#play-board .wins')).length, 2);
});

check('Firefox plays, and Back takes a bite back', async () => {
    await open('play=4,3,2,2&with=two');
    await shows('#play-status', 'Player 1: bite where you like.');
    await page.click('#play-board [data-row="3"][data-column="2"]');
    await shows('#play-status', 'Player 2');
    assert.ok(page.url().endsWith('#play=4,3,2,2&bites=3.2&with=two'), page.url());
    await page.goBack();
    await shows('#play-status', 'Player 1: bite where you like.');
    assert.equal((await page.$$('#play-board .there')).length, 11);
    await open('play=7,7,7');
    await shows('#play-status', 'Your turn');
    await page.click('#play-board [data-row="3"][data-column="5"]');
    await shows('#moves', 'The program bites');
});

check('Firefox explains a row, and draws its sheet', async () => {
    await open('row=120');
    await shows('#row-answer', 'Row 120 is periodic, with period 2.');
    await shows('#why-title', 'Why row 120 has period 2');
    await page.waitForSelector('#sheet svg .dots');
});

check('Firefox lists, overlays, teaches and verifies', async () => {
    await open('rows=1000&kind=2');
    await shows('#rows-table', '120');
    await open('find=71,3,72');
    await shows('#found', 'Rows with the offsets 71 3 72 somewhere');
    await open('overlay=200');
    await shows('#overlay-caption', 'r = 50, 100, 200');
    await open('lesson=2');
    await shows('#lesson-heading', '2. Two rows');
    await open('verify');
    await page.click('#own-data');
    await shows('#verdict', 'Verified');
});
