// The atlas in Chromium, from a local server. Run by .ci/atlas, which names the folders: SITE is the
// built site with the archive rows.zip in it, DATA the data set that it was made from, SHOTS gets
// pictures.
import assert from 'node:assert/strict';
import { createReadStream, readFileSync, readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, resolve } from 'node:path';
import { after, before, beforeEach } from 'node:test';
import { SHOTS, check, page, require, shows, testdata, text, useBrowser } from './browser.mjs';

const { SITE, DATA } = process.env;

const TYPES = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.json': 'application/json', '.svg': 'image/svg+xml', '.wasm': 'application/wasm' };

/** What was asked of the server: path, range, and the number of bytes sent. */
let asked = [];
/** Whether the server sends parts of files. */
let sendsParts = true;

/** Serves the site. */
const server = createServer((request, response) => {
    const path = join(resolve(SITE), new URL(request.url, 'http://site').pathname);
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    if (size === undefined) return response.writeHead(404).end();
    const [, from, to] = (sendsParts && /^bytes=(\d+)-(\d+)$/.exec(request.headers.range)) || [];
    const headers = { 'Content-Type': TYPES[extname(path)] ?? 'text/plain' };
    const part = from === undefined ? undefined : { start: Number(from), end: Math.min(Number(to), size - 1) };
    asked.push({ path: request.url, bytes: part ? part.end - part.start + 1 : size });
    if (part) headers['Content-Range'] = `bytes ${part.start}-${part.end}/${size}`;
    response.writeHead(part ? 206 : 200, headers);
    return createReadStream(path, part).pipe(response);
});

let address;

before(async () => {
    await new Promise((listening) => { server.listen(0, '127.0.0.1', listening); });
    address = `http://127.0.0.1:${server.address().port}/`;
});

useBrowser({ timeout: 60000, mayAsk: (url) => url.startsWith(address) || /^(blob|data):/.test(url) });

after(() => {
    server.close();
    server.closeAllConnections();
});

beforeEach(() => { [asked, sendsParts] = [[], true]; });

const open = (path) => page.goto(address + path);

/** The records of the data set, from row 0 on. */
const records = readdirSync(DATA).filter((name) => name.startsWith('rows-')).sort()
    .flatMap((name) => readFileSync(join(DATA, name), 'utf8').split('\n')).filter((line) => /^(Finite|Periodic)/.test(line));
const recordOf = (row) => records[row];

async function search(row) {
    await page.fill('#number', String(row));
    await page.click('#search button:first-of-type');
}

check('a row is found, and verified with all rows below it', async () => {
    await open('index.html');
    await search(6541);
    await shows('h1', 'Row 6541');
    assert.match(await text('.lead'), /Row 6541 is periodic, with period 9 from column 9250 on; word 2:AA/);
    assert.equal(await text('#record'), recordOf(6541));
    await page.click('#verify');
    await shows('#verdict', 'Verified: rows 0 to 6541, and the record on this page');
    const words = await text('#verdict pre');
    assert.match(words, /^Verified: rows 0 to 6541, depths structure, tails, heads\./);
    assert.match(words, /Assumed: nothing\./);
    await page.goBack();
    await shows('h1', 'Rows of three-rowed Chomp');
});

check('a page that differs from the rows of the site is not verified', async () => {
    await open('rows/120.html');
    await page.route('**/rows-0000000-0009999.ron', async (route) => {
        const response = await route.fetch();
        const body = (await response.text()).replace('row: 120, first: 206', 'row: 120, first: 207');
        await route.fulfill({ response, body });
    });
    await page.click('#verify');
    await shows('#verdict', 'The record on this page is not that of the rows');
});

check('rows that were changed are refuted or refused', async () => {
    await open('rows/130.html');
    await page.route('**/rows-0000000-0009999.ron', async (route) => {
        const response = await route.fetch();
        const body = (await response.text()).replace('row: 120, first: 206', 'row: 120, first: 207');
        await route.fulfill({ response, body });
    });
    await page.click('#verify');
    await shows('#verdict', '✗ Not verified');
});

check('all offsets are drawn, and the texts are of all q', async () => {
    await open('rows/2027.html');
    assert.match(await text('#texts'), /f\(q,2027\) for q from \d+ on/);
    await page.click('#full');
    await shows('#full-said', 'the same record');
    await page.locator('#full-figure > svg').waitFor();
    assert.match(await text('#full-caption'), /P-positions \(p, q, 2.?027\)/);
    await page.click('#texts summary:has-text("Maple")');
    const maple = await text('#texts details[open] pre');
    assert.match(maple, /^B\[2027\] := \[\[\d+, /);
    // The first offset: the diagonal value less q.
    const first = Number(/first: (\d+)/.exec(recordOf(2027))[1]);
    assert.equal(Number(/\[\[(\d+)/.exec(maple)[1]), first - 2027);
});

check('a row without a page comes from a few kilobytes of the archive', async () => {
    await open('index.html#row=15001');
    await shows('#found .verdict', 'Row 15001 is');
    assert.equal(await text('#record'), recordOf(15001));
    assert.equal(await page.title(), 'Row 15001 · Atlas of three-rowed Chomp');
    const parts = asked.filter(({ path }) => path === '/rows.zip');
    assert.equal(parts.length, 1);
    assert.ok(parts[0].bytes < 20000, `${parts[0].bytes} bytes`);
    for (const row of [10001, 19999, 20000]) {
        await search(row);
        await shows('h1, #found .verdict', `Row ${row}`);
        assert.equal(await text('#record'), recordOf(row));
        await open('index.html');
    }
});

check('a search that finds nothing says why', async () => {
    await open('index.html');
    await search(20001);
    await shows('#found', 'Row 20001 has no page, and the archive ends with row 20000.');
    await search('one');
    await shows('#found', 'A row has a number');
    sendsParts = false;
    await search(15001);
    await shows('#found', 'sends no parts of files');
});

/** The rows that a search shows under a title. */
const found = (title) => page.locator(`#found section:has(h2:text-is("${title}")) a`).allInnerTexts().then((all) => all.map(Number));

async function find(sequence) {
    await page.fill('#number', sequence);
    await page.click('#search button[value=find]');
    await shows('#said', 'found.');
}

check('a sequence finds its rows, from less than a megabyte', async () => {
    const those = (fits) => records.flatMap((line, row) => (fits(line) ? [row] : []));
    const values = (line) => /values: \[(.*?)\]/.exec(line)?.[1].split(', ').map(Number) ?? [];
    await open('index.html');
    for (const row of [16331, 19999, 12345, 0]) {
        asked = [];
        const number = Number(/(start|last): (\d+)/.exec(recordOf(row))[2]);
        await find(String(number));
        const titles = [`Rows that repeat from column ${number} on`, `Rows that end in column ${number}`, `Rows that repeat the offset ${number} for ever`];
        const wanted = [(line) => line.includes(`, start: ${number},`), (line) => line.includes(`, last: ${number},`), (line) => values(line).includes(number)];
        for (const [index, title] of titles.entries()) assert.deepEqual(await found(title), those(wanted[index]), title);
        const read = asked.filter(({ path }) => path.startsWith('/index'));
        const bytes = read.reduce((sum, part) => sum + part.bytes, 0);
        assert.ok(read.length >= 2 && read.length <= 4 && bytes < 1e6, `${read.length} files, ${bytes} bytes`);
    }
    const mean = values(recordOf(16331)).reduce((sum, value) => sum + value) / 4;
    await find(values(recordOf(16331)).join(' '));
    const repeated = (line) => [0, 1, 2, 3].some((from) => values(recordOf(16331)).every((value, index) => value === values(line)[(from + index) % 4]));
    const alike = await found(`Rows that repeat the offsets ${values(recordOf(16331)).join(' ')} for ever`);
    assert.deepEqual(alike, those((line) => values(line).length === 4 && repeated(line)));
    assert.ok(Number.isInteger(mean) && alike.includes(16331));
    // Brouwer has the first values of row 120: 206, 205, 207, 208, 203.
    await find('86 84 85 85 79');
    assert.deepEqual(await found('Rows with the offsets 86 84 85 85 79 somewhere'), [120]);
    await page.click('#found a');
    await shows('h1', 'Row 120');
});

check('page and atlas lead to each other, and the page searches in the atlas', async () => {
    await open('rows/6541.html');
    await page.click('main a[href="../page/index.html#row=6541"]');
    await shows('#row-said', 'Row 6541 is periodic, with period 9.');
    assert.equal(await page.title(), 'Row 6541 · Chomp');
    await page.click('#in-atlas');
    await shows('h1', 'Row 6541');
    await open('page/index.html#find=18718');
    await shows('#find-said', 'found.');
    assert.match((await text('#found')).replaceAll('\u2009', ''), /Rows of period 18718: none of rows 0 to 20000/);
    await open('page/index.html#find=[1,-1,1]');
    await shows('#found .note', 'of rows 0 to 20');
    assert.equal(await page.getAttribute('meta[property="og:image"]', 'content'), 'card.png');
});

check('a finite row opens with its picture', async () => {
    await open('rows/4.html');
    await page.locator('#full-figure > svg').waitFor();
    const [picture, lead] = await Promise.all(['#full-figure', '.lead'].map((part) => page.locator(part).boundingBox()));
    assert.ok(picture.y + picture.height <= lead.y);
});

check('a row says why first, and its record last', async () => {
    await page.setViewportSize({ width: 375, height: 700 });
    await open('rows/6541.html');
    assert.deepEqual(await page.locator('main h2').allInnerTexts(),
        ['Why', 'Verified', 'For other programs', 'All offsets', 'Cite', 'Numbers and record']);
    assert.match(await text('h2:text-is("Why") + p'), /so its period is 9\.$/);
    assert.match(await text('main'), /BLAKE3 hash of its record is [0-9a-f]{64}/);
    assert.equal(await page.getAttribute('meta[property="og:description"]', 'content'),
        'Row 6541 is periodic, with period 9 from column 9250 on, in three-rowed Chomp.');
});

check('the lists have the published rows', async () => {
    const published = readFileSync(join(testdata, 'nivasch-periods.tsv'), 'utf8').split('\n')
        .filter((line) => /^\d/.test(line)).map((line) => line.split('\t').map(Number));
    for (const wanted of [2, 3, 4, 9]) {
        await open(`periods/${wanted}.html`);
        const rows = (await page.locator('.rows a').allInnerTexts()).map(Number);
        assert.deepEqual(rows.filter((row) => row <= 10000),
            published.filter(([, period]) => period === wanted).map(([row]) => row));
    }
});

const PAGES = ['index.html', 'rows/120.html', 'rows/4.html', 'rows/6541.html', 'periods/4.html', 'completeness.html'];

check('nothing is wider than a phone, and a screen reader can tell everything', async () => {
    const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
    for (const width of [375, 1280]) {
        for (const colorScheme of ['light', 'dark']) {
            await page.setViewportSize({ width, height: 900 });
            await page.emulateMedia({ colorScheme });
            for (const name of PAGES) {
                await open(name);
                const wide = await page.evaluate(() => document.documentElement.scrollWidth);
                assert.ok(wide <= width, `${name}: ${wide} pixels at ${width}`);
                if (SHOTS) {
                    const file = `${name.replaceAll('/', '-')}-${width}-${colorScheme}.png`;
                    await page.screenshot({ path: join(SHOTS, file), fullPage: name.startsWith('rows/') });
                }
                await page.evaluate(axe);
                const { violations } = await page.evaluate(() => globalThis.axe.run());
                const found = violations.map(({ id, nodes }) => `${name}: ${id} ${nodes[0].html}`);
                assert.deepEqual(found, []);
            }
        }
    }
});
