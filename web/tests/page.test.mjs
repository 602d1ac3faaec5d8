// The page in Chromium, opened from its folder as a person opens it. Run by .ci/web, which names the
// folders: PAGE is the built page, DATA has the data sets of the example data_sets, SHOTS gets a
// picture of every tab. CHOMP is the program.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { SHOTS, check, context, page, problems, require, shows, testdata, text, useBrowser } from './browser.mjs';

const { PAGE, DATA, CHOMP } = process.env;
const address = pathToFileURL(join(resolve(PAGE), 'index.html')).href;

const TABS = ['play', 'row', 'rows', 'find', 'overlay', 'lesson', 'verify'];

// No server is asked.
useBrowser({ timeout: 15000, mayAsk: (url) => /^(file|blob|data):/.test(url) });

const open = (hash) => page.goto(`${address}#${hash}`);

/** Numbers of a fixture. */
const numbers = (name) => readFileSync(join(testdata, name), 'utf8').split('\n')
    .filter((line) => /^\d/.test(line)).map((line) => line.split('\t').map(Number));

// The rules of the game, and a search, to judge the page by.

const bites = (lengths) => lengths.flatMap((length, row) => Array.from({ length }, (_, kept) =>
    lengths.map((other, index) => (index < row ? other : Math.min(other, kept)))))
    .filter(([top]) => top > 0);
const known = new Map();
function isP(position) {
    const name = position.join();
    if (!known.has(name)) known.set(name, !bites(position).some(isP));
    return known.get(name);
}

/** The bar on the page: the lengths of its rows. */
const bar = () => page.evaluate(() => [1, 2, 3].map((row) =>
    document.querySelectorAll(`#play-board .there[data-row="${row}"]`).length));

/** What is left on a board: the lengths of its rows. */
const left = (board) => page.locator(`${board} .line`).evaluateAll((lines) =>
    lines.map((line) => line.querySelectorAll('.there').length));

const bitten = (lengths, row, column) =>
    lengths.map((length, index) => (index + 1 < row ? length : Math.min(length, column - 1)));

const myTurn = () => page.locator('#play-status').filter({ hasText: /Your turn|You win|The program wins/ }).waitFor();

async function bite(row, column) {
    await page.click(`#play-board [data-row="${row}"][data-column="${column}"]`);
    await myTurn();
}

check('a game is won with the hints', async () => {
    await open('play');
    await myTurn();
    for (let moves = 0; !(await text('#play-status')).includes('You win!'); moves += 1) {
        assert.ok(moves < 30, 'the game ends');
        await page.click('#hint');
        const square = page.locator('#play-board .wins').first();
        await square.click();
        await myTurn();
        assert.ok(!isP(await bar()) || (await bar()).join() === '1,0,0', 'after the reply it is N again');
    }
    assert.match(await text('#moves'), /^You bite in the bottom row and leave \(7,7,4\)/);
    await shows('#score', 'you 1, the program 0');
    await page.reload();
    await shows('#play-status', 'You win!');
    await shows('#score', 'you 1, the program 0');
});

check('a game is lost, for the program never errs; a bite is taken back', async () => {
    await open('play=7,7,7&first=program');
    await page.locator('#moves li').first().waitFor();
    await myTurn();
    let moves = 0;
    while (!(await text('#play-status')).includes('The program wins')) {
        const lengths = await bar();
        assert.ok(isP(lengths), `the program left (${lengths})`);
        // The last square of the longest row that can be bitten: the game is long.
        const row = lengths[2] > 0 ? 3 : lengths[1] > 0 ? 2 : 1;
        await bite(row, lengths[row - 1]);
        moves += 1;
    }
    assert.ok(moves > 3);
    assert.deepEqual(await bar(), [1, 0, 0]);
    // The board was lost from the start: the program began on a full bar.
    await shows('#lost-why', 'You never had a winning position');
    const number = await page.locator('#moves li').count();
    await page.click('#undo');
    assert.ok(isP(await bar()) && (await bar()).join() !== '1,0,0');
    // The bites that were taken back stay, as a branch.
    assert.equal(await page.locator('#moves li').count(), number);
    assert.match(page.url(), new RegExp(`&at=${number - 2}&`));
    await page.click('#hint');
    await shows('#play-status', 'after every bite the program wins');
});

check('a game is played with the keyboard', async () => {
    await open('play');
    await myTurn();
    await page.focus('#play-board button:not(:disabled)');
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight']) {
        await page.keyboard.press(key);
    }
    const label = await page.evaluate(() => document.activeElement.getAttribute('aria-label'));
    assert.equal(label, 'row 3, square 5: a bite here leaves (7,7,4)');
    assert.equal(await page.locator('#play-board .aimed').count(), 3);
    await page.keyboard.press('Enter');
    await myTurn();
    assert.equal(await page.evaluate(() => document.activeElement.closest('#play-board') !== null), true);
    // Back to the whole bar: the focus goes on to a button that does something.
    await page.focus('#bite-back');
    for (let press = 0; press < 2; press += 1) await page.keyboard.press('Enter');
    await page.waitForTimeout(100);
    assert.equal(await page.evaluate(() => document.activeElement.id), 'bite-on');
});

check('the bite that lost is shown, and what would have won', async () => {
    // A perfect program wins after the first error on a full bar.
    await open('play=4,4,4,4');
    await myTurn();
    await bite(4, 4);
    while (!(await text('#play-status')).includes('The program wins')) {
        await page.locator('#play-board button:not(:disabled)').last().click();
        await myTurn();
    }
    // (4,1,1,1) is the only P-position that a bite on 4 x 4 leaves, by symmetry.
    await shows('#lost-why', 'Bite 1 lost the game. Before it you had (4,4,4,4), an N-position: a bite that leaves (4,1,1,1) wins.');
    await page.click('#lost-show');
    assert.equal(await page.locator('#play-board .there').count(), 16);
    assert.deepEqual(await page.locator('#play-board .blunder').evaluateAll((all) =>
        all.map(({ dataset }) => [dataset.row, dataset.column])), [['4', '4']]);
    assert.deepEqual(await page.locator('#play-board .wins').evaluateAll((all) =>
        all.map(({ dataset }) => [dataset.row, dataset.column])), [['2', '2']]);
    assert.match(page.url(), /&at=0$/);
    await shows('#play-status', /^Before bite 1 of \d+\. ✗ lost the game; ✓ would have won\.$/);
    // A bite that would have won shows, too, where it lies within the one that lost. It is the only one on 3 x 7.
    await open('play=7,7,7&bites=2.5,3.4,3.3,1.7,3.2,1.3,3.1,2.2,2.1,1.2&at=0');
    await shows('#play-status', '✓ would have won');
    assert.deepEqual([bites([7, 7, 7]).filter(isP), await marked('wins')], [[[7, 7, 4]], ['3.5']]);
    assert.match(await page.locator('#play-board .wins').evaluate((square) => getComputedStyle(square, '::after').content), /✓/);
    await page.goBack();
    await shows('#play-status', '✗ lost the game');
    assert.match(await text('#moves .blunder'), /^You bite in row 4 and leave \(4,4,4,3\)/);
    await page.reload();
    await shows('#lost-why', 'Bite 1 lost the game.');
    assert.equal(await page.locator('#play-board .there').count(), 16);
    await page.click('#bite-on');
    assert.equal(await page.locator('#play-board .there').count(), 15);
    await shows('#play-status', /^Before bite 2 of \d+\.$/);
});

check('any bar can be played, and refusals say what works', async () => {
    await open('play');
    await myTurn();
    await page.fill('#position-text', '[4557]');
    await page.click('#new-game button');
    await shows('#play-status', 'Your turn');
    assert.equal(await page.locator('#play-board .there').count(), 21);
    await page.click('#hint');
    // Cho (2018), proposition 3.10: [4557] is a P-position.
    await shows('#play-status', '(7,5,5,4) is a P-position');
    await open('play=12x12');
    await shows('#play-status', 'Your turn');
    await bite(2, 2);
    await shows('#moves', 'The program bites');
    await open('play=7,5,y');
    await shows('#play-status', 'is not a number of squares');
    await open('play=20x20');
    await shows('#play-status', 'two players');
    await open('play=20x20&with=two');
    await shows('#play-status', 'Player 1: bite where you like.');
    await page.click('#play-board [data-row="2"][data-column="1"]');
    await shows('#play-status', 'Player 2');
    await page.click('#play-board [data-row="1"][data-column="2"]');
    await shows('#play-status', 'Player 1 must take it. Player 2 wins!');
});

check('an easy program loses, and reload and Back keep the game', async () => {
    await open('play=4,3,2,2&with=easy');
    await myTurn();
    await bite(1, 4);
    const one = { url: page.url(), left: await bar() };
    assert.match(one.url, /#play=4,3,2,2&bites=1\.4,\d\.\d&with=easy$/);
    await page.reload();
    await myTurn();
    assert.deepEqual([page.url(), await bar()], [one.url, one.left]);
    await page.goBack();
    await shows('#play-status', 'Your turn: bite where you like.');
    assert.deepEqual(await bar(), [4, 3, 2]);
    assert.equal(await page.inputValue('#opponent'), 'easy');
});

check('bites go forward and back as a tree, which the address keeps', async () => {
    await open('position=4,3,2');
    const step = async (press, lengths) => {
        await press();
        await page.waitForFunction((expected) => [...document.querySelectorAll('#play-board .line')]
            .map((line) => line.querySelectorAll('.there').length).join() === expected, lengths.join());
    };
    const square = (row, column) => () => page.click(`#play-board [data-row="${row}"][data-column="${column}"]`);
    const button = (id) => () => page.click(`#bite-${id}`);
    await step(square(3, 2), [4, 3, 1]);
    await step(square(1, 4), [3, 3, 1]);
    await step(button('back'), [4, 3, 1]);
    await step(button('first'), [4, 3, 2]);
    await step(square(2, 2), [4, 1, 1]);
    assert.match(page.url(), /#position=4,3,2&bites=2\.2\(3\.2,1\.4\)$/);
    await page.reload();
    await step(() => page.click('#moves .link >> nth=1'), [4, 3, 1]);
    await step(button('last'), [3, 3, 1]);
    assert.match(page.url(), /#position=4,3,2&bites=3\.2\(2\.2\),1\.4$/);
    // From here the game goes on against the program, and it is your turn.
    await page.selectOption('#opponent', 'fair');
    await page.waitForURL(/#play=4,3,2&bites=3\.2\(2\.2\),1\.4&with=fair$/);
    await shows('#play-status', 'Your turn.');
    assert.ok(await page.isDisabled('#verdicts'));
    await bite(3, 1);
    assert.equal(await page.locator('#moves li').count(), 4);
});

/** The squares with a mark, as row.column. */
const marked = (name) => page.locator(`#play-board .${name}`).evaluateAll((squares) =>
    squares.map(({ dataset }) => `${dataset.row}.${dataset.column}`).sort());

check('each square has the colour of the verdict of its bite', async () => {
    for (const lengths of [[7, 5, 3], [7, 4, 3], [5, 5, 4, 2], [6, 6], [8, 8, 8, 8, 8, 8, 8]]) {
        await open(`position=${lengths}`);
        await shows('#position-answer', isP(lengths) ? 'is a P-position' : 'is an N-position');
        const all = lengths.flatMap((length, row) => Array.from({ length }, (_, column) => [row + 1, column + 1])).slice(1);
        const verdict = (wins) => all.filter(([row, column]) => isP(bitten(lengths, row, column)) === wins)
            .map((square) => square.join('.')).sort();
        assert.deepEqual(await marked('wins'), verdict(true));
        assert.deepEqual(await marked('loses'), verdict(false));
    }
    await page.uncheck('#verdicts');
    await page.waitForURL(/#play=.*&with=two$/);
    assert.deepEqual([await marked('wins'), await marked('loses')], [[], []]);
    assert.equal(await text('#position-answer'), '');
});

/** The Grundy value, and the number of turns if the winner hurries and the loser delays. */
const values = new Map();
function valuesOf(position) {
    const name = position.join();
    if (!values.has(name)) {
        const after = bites(position);
        const grundy = new Set(after.map((other) => valuesOf(other).grundy));
        let least = 0;
        while (grundy.has(least)) least += 1;
        const turns = (some) => some.map((other) => valuesOf(other).turns);
        const rest = isP(position) ? Math.max(0, ...turns(after)) : Math.min(...turns(after.filter(isP)));
        values.set(name, { grundy: least, turns: 1 + rest });
    }
    return values.get(name);
}

check('Grundy value and length of the game are told when they are asked for', async () => {
    for (const lengths of [[7, 5, 3], [6, 6, 6], [5, 5, 4, 2], [4, 3, 3, 2, 1], [9, 8], [1]]) {
        await open(`position=${lengths}`);
        await page.click('#position-answer button:has-text("Grundy value")');
        const { grundy, turns } = valuesOf(lengths);
        await shows('#values', `The Grundy value is ${grundy}. With best play the game takes ${turns} turn`);
    }
    // An offset is at most r + g + 1.
    await open('position=1000100,1000000,5');
    await page.click('#position-answer button:has-text("Grundy value")');
    await shows('#values', 'The Grundy value is at least 94.');
});

check('the rules go when one has played', async () => {
    await open('play');
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await myTurn();
    assert.ok(await page.isVisible('#rules'));
    await bite(3, 7);
    // The focus is on a square again, but nothing says that it will be bitten.
    await page.mouse.move(0, 0);
    assert.equal(await page.evaluate(() => document.activeElement.closest('#play-board') !== null), true);
    assert.equal(await page.locator('#play-board .aimed').count(), 0);
    await page.reload();
    await myTurn();
    assert.equal(await page.isVisible('#rules'), false);
});

check('the puzzle of a day is the same for everyone, and its result is a text', async () => {
    const grades = { Mon: 'easy', Tue: 'easy', Wed: 'medium', Thu: 'medium', Fri: 'hard', Sat: 'hard', Sun: 'hard' };
    const posed = new Set();
    let lengths;
    for (let day = 21; day <= 27; day += 1) {
        const date = `2026-11-${day}`;
        await open(`daily=${date}`);
        await page.waitForFunction((title) => document.title.startsWith(title), `Puzzle of ${date}`);
        lengths = await left('#play-board');
        const grade = grades[new Date(`${date}T00:00:00Z`).toUTCString().slice(0, 3)];
        assert.ok(WINNING[grade](winning(lengths)), `${date}: ${lengths}`);
        assert.equal(await page.inputValue('#grade'), grade);
        posed.add(lengths.join());
    }
    assert.equal(posed.size, 7);
    await page.reload();
    await shows('#play-status', 'Which bite wins?');
    assert.deepEqual(await left('#play-board'), lengths);
    const all = lengths.flatMap((length, row) => Array.from({ length }, (_, column) => [row + 1, column + 1])).slice(1);
    const [wrong, right] = [false, true].map((won) => all.find(([row, column]) =>
        isP(bitten(lengths, row, column).filter(Boolean)) === won));
    for (const [[row, column], says] of [[wrong, 'No: '], [right, 'Right: ']]) {
        await page.click(`#play-board [data-row="${row}"][data-column="${column}"]`);
        await shows('#play-status', says);
        if (says === 'No: ') await page.click('#undo');
    }
    const result = await text('#daily-text');
    assert.equal(result, `Chomp, puzzle of 2026-11-27 (hard): ✗✓\n${address}#daily=2026-11-27`);
    await page.click('#daily-copy');
    await shows('#daily-copied', /Copied|✗✓/);
    await page.click('#open-daily');
    await page.waitForURL(/#daily=20\d\d-\d\d-\d\d$/);
    await open('daily=2026-02-31');
    await shows('#play-status', '“2026-02-31” is none');
});

check('a puzzle is solved, and a wrong bite is refused', async () => {
    await open('play=4,4,4,4&puzzle=hard');
    await shows('#play-status', 'Which bite wins?');
    assert.equal(await page.inputValue('#grade'), 'hard');
    await page.click('#play-board [data-row="4"][data-column="4"]');
    await shows('#play-status', 'No: the other player wins from (4,4,4,3)');
    await page.click('#undo');
    await page.click('#play-board [data-row="2"][data-column="2"]');
    await shows('#play-status', 'Right: (4,1,1,1) is a P-position');
    await shows('#score', 'Puzzles solved: 1');
    await page.selectOption('#grade', 'medium');
    await page.click('#new-puzzle');
    await page.waitForURL(/puzzle=medium/);
    await shows('#play-status', 'Which bite wins?');
    await page.click('#hint');
    await page.locator('#play-board .wins').nth(1).waitFor();
    assert.equal(await page.locator('#play-board .wins').count(), 2);
});

check('(10^30, 5·10^29, 120) is answered', async () => {
    await open('position');
    await page.fill('#position-text', '(10^30, 5·10^29, 120)');
    await page.click('#new-game button');
    await shows('#position-answer', 'is an N-position');
    // Row 120 has the offset 72 in even columns from 170 on: Brouwer's page.
    const bites = await page.locator('#position-answer .bites button').evaluateAll((all) => all.map(({ title }) => title));
    assert.deepEqual(bites, [`(5${'0'.repeat(27)}72,5${'0'.repeat(29)},120)`]);
    assert.equal(await page.locator('.bar-bite').count(), 1);
});

check('lengths of more than a hundred digits are answered, and what is no position is refused', async () => {
    await open('position');
    // Two rows are P if and only if the top one is one longer.
    await page.fill('#position-text', '10^120 + 1, 10^120, 0');
    await page.click('#new-game button');
    await shows('#position-answer', 'is a P-position');
    await page.fill('#position-text', '3 5 1');
    await page.click('#new-game button');
    await shows('#position-answer', 'row 2 (5) is longer than the row before it (3)');
});

check('every position that is dragged is answered, and its winning bites light up', async () => {
    await open('position=7,5,3');
    await shows('#position-answer', '(7, 5, 3) is an N-position');
    const lengths = () => page.locator('#play-board .line').evaluateAll((lines) =>
        lines.map((line) => Number(line.getAttribute('aria-valuenow'))).filter(Boolean));
    const lit = () => page.locator('#play-board .wins').evaluateAll((squares) =>
        squares.map(({ dataset }) => [Number(dataset.row), Number(dataset.column)]));
    const judged = async (expected) => {
        await page.waitForFunction((name) => document.querySelector('#position-answer').textContent.startsWith(name),
            `(${expected.join(', ')}) is`);
        assert.deepEqual(await lengths(), expected);
        const left = (await lit()).map(([row, column]) =>
            expected.map((length, index) => (index + 1 < row ? length : Math.min(length, column - 1))).join());
        assert.deepEqual(left.sort(), bites(expected).filter(isP).map(String).sort());
        const verdict = isP(expected) ? 'a P-position' : 'an N-position';
        assert.ok((await text('#position-answer')).includes(`is ${verdict}.`));
    };
    await page.click('#shape');
    await judged([7, 5, 3]);
    const square = (row, column) => page.locator(`#play-board [data-row="${row}"][data-column="${column}"]`);
    // A click makes a row end there; the rows above grow, those below shrink.
    await square(2, 9).click();
    await judged([9, 9, 3]);
    await square(1, 6).click();
    await judged([6, 6, 3]);
    const [from, to] = [await square(2, 6).boundingBox(), await square(2, 4).boundingBox()];
    await page.mouse.move(from.x + 20, from.y + 20);
    await page.mouse.down();
    await page.mouse.move(to.x + 20, to.y + 20, { steps: 8 });
    await page.mouse.up();
    await judged([6, 4, 3]);
    await page.focus('#play-board .line:nth-child(3)');
    await page.keyboard.press('ArrowLeft');
    await judged([6, 4, 2]);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await judged([6, 4, 4]);
});

check('on a telephone a row is dragged past the edge', async () => {
    await page.setViewportSize({ width: 375, height: 640 });
    await open('position=7,5,3');
    await shows('#position-answer', '(7, 5, 3) is an N-position');
    await page.click('#shape');
    const board = page.locator('#play-board');
    assert.ok(await board.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth), 'no square is cut');
    const { x, y } = await board.locator('[data-row="1"][data-column="7"]').boundingBox();
    await page.mouse.move(x + 16, y + 16);
    await page.mouse.down();
    for (let step = 0; step < 20; step += 1) await page.mouse.move(360 + (step % 2), y + 16);
    await page.mouse.up();
    const length = Number(await board.locator('.line').first().getAttribute('aria-valuenow'));
    assert.ok(length > 12, `row 1 has ${length} squares`);
    await shows('#position-answer', `(${length}, 5, 3) is an N-position`);
});

check('positions with four rows are answered, and change when a row is dragged away', async () => {
    // Cho (2018), proposition 3.10.
    await open('position=[4557]');
    await shows('#position-answer', '(7, 5, 5, 4) is a P-position.');
    await shows('#position-answer', 'rests on the rows of all tails within (5,4)');
    await page.click('#shape');
    await page.focus('#play-board .line:nth-child(1)');
    await page.keyboard.press('ArrowRight');
    await shows('#position-answer', '(8, 5, 5, 4) is an N-position.');
    await shows('#position-answer', 'row 1: it leaves the P-position (7, 5, 5, 4)');
    assert.equal(await page.locator('#play-board [data-row="1"][data-column="8"].wins').count(), 1);
    await page.focus('#play-board .line:nth-child(4)');
    await page.keyboard.press('Home');
    await shows('#position-answer', '(8, 5, 5) is');
    // An empty row stays, to be dragged.
    assert.equal(await page.locator('#play-board .line').count(), 4);
    await open('position=1000,90,5,4');
    await shows('#position-answer', '(1000, 90, 5, 4) is an N-position.');
    await shows('#play-board', 'row 4 = 4');
    // A theorem answers the rectangle at once.
    await open('position=999,999,999,999');
    await shows('#position-answer', 'Which bites win is not computed here.');
    await open('position=999,999,999,998');
    await shows('#position-answer', /^This position is too large for this page\. It answers three rows/);
    assert.equal(await page.locator('#shape-note').isVisible(), false);
});

check('a position that is too large is drawn beside the refusal, with the command that decides it', async () => {
    const refuses = async (hash, command, words = 'too large for this page') => {
        await open(`position=${hash}`);
        await shows('#position-answer .error', words);
        assert.equal(await text('#position-answer code'), command);
    };
    const lengths = [...Array(16).fill(15), 14];
    await refuses(lengths, `chomp query ${lengths}`);
    assert.deepEqual(await left('#play-board'), lengths);
    // What a bite leaves is decided here.
    await page.click('#play-board [data-row="3"][data-column="1"]');
    await shows('#position-answer', '(15, 15, 0) is an N-position.');
    await refuses('999 999 999 998', "chomp query '999 999 999 998'");
    assert.deepEqual(await page.locator('#play-board .bar-length').allInnerTexts(),
        ['row 1 = 999', 'row 2 = 999', 'row 3 = 999', 'row 4 = 998']);
    const long = `9${',9'.repeat(49)},7`;
    await refuses(long, `chomp query ${long}`);
    assert.deepEqual(await page.locator('#play-board .bar-length').allInnerTexts(), ['rows 1 to 50 = 9', 'row 51 = 7']);
    await refuses('9999999,9999997,9999997', 'chomp query 9999999,9999997,9999997', 'at most 100000 squares');
    assert.equal(await page.locator('#play-board .bar').count(), 3);
    // By a theorem: the bites are not computed.
    await open('position=20x21');
    await shows('#position-answer', 'Which bites win is not computed here.');
    assert.equal(await text('#position-answer > p code'), 'chomp query --all 20x21');
    assert.equal(await page.locator('#play-board .there').count(), 420);
    // The program does not play there, and no square can be bitten.
    await open('play=20x20');
    await shows('#play-status', 'The program cannot see the end of this bar');
    assert.equal(await page.locator('#play-board .there').count(), 400);
    assert.equal(await page.locator('#play-board button:not(:disabled)').count(), 0);
    await page.selectOption('#opponent', 'two');
    await page.waitForURL(/#position=20x20$/);
    await shows('#position-answer', 'is an N-position');
    await open('play=1000x3');
    await shows('#play-status', 'bars of up to 30 rows and 60 columns');
    assert.deepEqual(await page.locator('#play-board .bar-length').allInnerTexts(), ['rows 1 to 1000 = 3']);
    await page.selectOption('#opponent', 'two');
    await page.waitForURL(/#position=1000x3$/);
    await open('play=70,5,3&with=two');
    await page.waitForURL(/#position=70,5,3$/);
    await shows('#position-answer', '(70, 5, 3) is an N-position');
});

check('a row is shown with its certificate and its sheet', async () => {
    await open('row=120');
    await shows('#row-answer', 'Row 120 is periodic, with period 2.');
    const published = numbers('row-120.txt').flat().map((p, index) => p - (120 + index));
    const shown = await text('#row-answer');
    assert.ok(shown.includes(`[${published.slice(0, 50).join(', ')}][72, 70]^∞, from q = 120 on`));
    assert.ok(shown.includes('When column 172 is reached, they block the same again.'));
    await page.locator('#sheet > svg').waitFor();
    for (const line of ['upper-line', 'lower-line', 'last-line']) {
        assert.equal(await page.locator(`#sheet .${line}`).count(), 1, line);
    }
    // Every offset is told under the pointer. The first is in column 120.
    const frame = await page.locator('#sheet .frame').boundingBox();
    await page.locator('#sheet').scrollIntoViewIfNeeded();
    const { x, y } = await page.locator('#sheet .frame').boundingBox();
    for (const column of [0, 7, 30, 49, 51]) {
        const offset = published[column];
        // 91 positions each way.
        const right = x + ((column + 0.5) / 91) * frame.width;
        await page.mouse.move(right, y + (1 - (offset + 0.5) / 91) * frame.height);
        const p = 120 + column + offset;
        await shows('#readout', `Column q = ${120 + column}: the offset is ${offset}, for (${p},${120 + column},120) is P.`);
        assert.ok(!(await text('#readout')).includes('Here'));
    }
    await page.focus('#sheet');
    await page.keyboard.press('ArrowRight');
    await shows('#readout', 'Column q = 172: the offset is 72');
    await page.keyboard.press('+');
    await shows('#sheet-caption', /q − 120 from \d+ to \d+ and p − q from/);
    const spans = await text('#sheet-caption');
    const [, least, most] = spans.match(/q − 120 from (\d+) to (\d+)/).map(Number);
    assert.ok(least <= 52 && most >= 52 && most - least < 60, spans);
    await page.click('[data-zoom=whole]');
    await shows('#sheet-caption', 'q − 120 and p − q to 90');
});

check('a row says why it has its period, and terms are explained', async () => {
    await open('row=402');
    await shows('#why-title', 'Why row 402 has period 4');
    await page.locator('#why-figure > svg').waitFor();
    assert.equal(await page.locator('#why-column rect.taken').count(), 1);
    // Its offsets repeat after four columns: Nivasch's list.
    const said = [];
    for (let step = 0; step < 5; step += 1) {
        said.push(await text('#why-said'));
        await page.click('#why-on');
    }
    assert.equal(new Set(said).size, 4);
    assert.equal(said[4], said[0]);
    await page.locator('#why-summary .term', { hasText: 'cluster' }).click();
    await shows('#term-says', 'Successive periodic rows');
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('#term').isVisible(), false);
    // Nothing moves by itself where people want that.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.click('#why-play');
    assert.equal(await text('#why-play'), 'Play');
    assert.ok(!(await page.content()).includes('No reason is known'));
    await open('row=8');
    await shows('#row-answer', 'Row 8 is finite');
    assert.equal(await page.locator('#why-area').isVisible(), false);
});

check('the column and the part of the sheet that are shown are in the address', async () => {
    await open('row=402');
    await shows('#why-title', 'Why row 402 has period 4');
    await page.locator('#sheet > svg').waitFor();
    await page.click('#why-on');
    await page.click('#why-on');
    await page.focus('#sheet');
    await page.keyboard.press('+');
    await page.waitForURL(/#row=402&column=\d+&part=\d+\.\d+\.\d+$/);
    const state = async () => [page.url(), await text('#why-said'), await text('#sheet-caption')];
    const before = await state();
    assert.match(before[2], /q − 402 from \d+ to \d+ and p − q from/);
    await page.reload();
    await shows('#sheet-caption', 'q − 402 from');
    assert.deepEqual(await state(), before);
    // A film that plays does not touch the address of another row.
    await page.click('#why-play');
    await page.fill('#row-number', '8');
    await page.keyboard.press('Enter');
    await shows('#row-answer', 'Row 8 is finite');
    await page.locator('#sheet > svg').waitFor();
    await page.waitForTimeout(1500);
    assert.match(page.url(), /#row=8$/);
});

check('the rows of a level are those that the program prints', async () => {
    const { stdout } = spawnSync(resolve(CHOMP), ['grundy', '--level', '3', '--to', '10'], { encoding: 'utf8' });
    const records = stdout.trim().split('\n').slice(-11);
    await open('row=120');
    await shows('#row-answer', 'Row 120 is periodic');
    await page.focus('#row-number');
    for (const key of ['ControlOrMeta+a', '1', '0', 'Tab', 'ControlOrMeta+a', '3', 'Enter']) await page.keyboard.press(key);
    for (let row = 10; row >= 0; row -= 1) {
        await shows('#row-answer', `Row ${row} of level 3 is`);
        assert.equal(await text('#row-answer code'), records[row]);
        assert.match(page.url(), new RegExp(`#row=${row}&level=3$`));
        if (row > 0) await page.click('#row-before');
    }
    assert.equal(await page.locator('#why-area').isVisible(), false);
    assert.equal(await page.locator('#sheet-area').isVisible(), false);
    await page.goBack();
    await shows('#row-answer', 'Row 1 of level 3 is');
    await page.reload();
    await shows('#row-answer', 'Row 1 of level 3 is');
    await open('row=10000&level=30');
    await shows('#row-answer .error', 'needs more than 10000 rows');
    await open('row=120');
    await shows('#row-answer', 'Row 120 is periodic');
    assert.equal(await page.inputValue('#row-level'), '0');
});

check('all rows to 10 000 are listed and filtered by period', async () => {
    await open('rows');
    await shows('#rows-summary', /5.?858 finite/);
    const published = numbers('nivasch-periods.tsv');
    for (const period of [2, 3, 4, 9]) {
        const expected = published.filter(([, other]) => other === period).map(([row]) => row);
        await page.selectOption('#rows-kind', String(period));
        // Only lines in sight are in the page.
        const found = await page.evaluate(async () => {
            const area = document.getElementById('rows-scroll');
            const seen = new Set();
            for (let top = 0; top <= area.scrollHeight; top += 400) {
                area.scrollTop = top;
                await new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); });
                for (const { innerText } of document.querySelectorAll('#rows-table th')) seen.add(Number(innerText));
            }
            return [...seen].sort((a, b) => a - b);
        });
        assert.deepEqual(found, expected, `period ${period}`);
    }
    assert.match(page.url(), /#rows=10000&kind=9$/);
    await page.reload();
    await shows('#rows-summary', /5.?858 finite/);
    assert.equal(await page.inputValue('#rows-kind'), '9');
    await page.locator('#rows-strips svg').waitFor();
    for (const figure of ['figure', 'strips']) {
        const box = await page.locator(`#rows-${figure} > svg`).getAttribute('viewBox');
        assert.ok(Number(box.split(' ')[2]) > 1000, box);
    }
    await page.selectOption('#rows-kind', 'other');
    await page.fill('#rows-pattern', '0 1 1 -2');
    await page.fill('#rows-from', '403');
    await page.locator('#rows-table th', { hasText: '424' }).waitFor();
    await page.locator('#rows-table a').first().click();
    await shows('#row-answer', 'Row 424 is periodic, with period 4.');
    await page.goBack();
    assert.equal(await page.inputValue('#rows-pattern'), '0 1 1 -2');
});

const outputs = (name) => readFileSync(fileURLToPath(new URL(`../../outputs/${name}`, import.meta.url)), 'utf8').split('\n');

/** What a search has found: for each title the rows that are shown, and where they were searched. */
const groups = () => page.locator('#found > *').evaluateAll((all) => Object.fromEntries(all.map((group) => {
    const [title, range] = group.localName === 'p' ? group.innerText.split(': ') : ['h2', 'p'].map((name) => group.querySelector(name).innerText);
    return [title, { range: range.replace(/[\u2009.]/g, ''), rows: [...group.querySelectorAll('a')].map((link) => Number(link.innerText)) }];
})));

/** Searches, and waits for the end. */
async function find(numbersAsked) {
    await open(`find=${numbersAsked}`);
    await shows('#find-said', 'found.');
    return groups();
}

// By the table of all periods to 3 000 000, the records to 10 000, and all offsets to row 400.
check('rows are found by a pattern, a period, a start, an end, and by offsets', async () => {
    const lines = outputs('periods-3000000.tsv').slice(1, -1).map((line) => line.split('\t'));
    const has = (pattern, run) => ` ${[pattern, pattern].join(',').replaceAll(',', ' ')} `.includes(` ${run} `);
    const ofPattern = lines.filter(([, , , pattern]) => has(pattern, '1 1 -2 0')).map(([row]) => Number(row));
    let found = (await find('1,1,-2,0'))['Rows whose pattern has 1 1 −2 0'];
    assert.equal(found.range, `${ofPattern.length} of rows 0 to 3000000`);
    assert.deepEqual(found.rows, ofPattern.slice(0, 100));
    await page.click('#found button');
    assert.deepEqual((await groups())['Rows whose pattern has 1 1 −2 0'].rows, ofPattern);
    found = await find('27');
    assert.deepEqual(found['Rows of period 27'].rows, lines.filter(([, , period]) => period === '27').map(([row]) => Number(row)));
    assert.equal(found['Rows of period 27'].range, '13 of rows 0 to 3000000');
    const records = outputs('rows-10000/rows-0000000-0009999.ron').filter((line) => /^(Finite|Periodic)/.test(line));
    const those = (fits) => records.filter(fits).map((line) => Number(/row: (\d+)/.exec(line)[1]));
    const values = (line) => /values: \[(.*?)\]/.exec(line)?.[1].split(', ').map(Number) ?? [];
    for (const number of [571, 73, 5, 9250]) {
        found = await find(number);
        assert.deepEqual(found[`Rows that repeat from column ${number} on`].rows, those((line) => line.includes(`, start: ${number},`)));
        assert.deepEqual(found[`Rows that end in column ${number}`].rows, those((line) => line.includes(`, last: ${number},`)));
        assert.deepEqual(found[`Rows that repeat the offset ${number} for ever`].rows, those((line) => values(line).includes(number)));
        assert.equal(found[`Rows of period ${number}`].range, 'none of rows 0 to 3000000');
        assert.equal(await page.locator('#found a').first().getAttribute('href'), `#row=${number}`);
    }
    found = await find('[236, 237, 237, 234]');
    assert.deepEqual(found['Rows that repeat the offsets 236 237 237 234 for ever'].rows, [402]);
    const inFull = outputs('closed-forms-400.ron').filter((line) => /^(Finite|Periodic)/.test(line));
    const offsets = (line) => [/head: \[(.*)\]/.exec(line)[1], ...Array(3).fill(values(line).join(', '))].join(', ').replaceAll(',', '');
    for (const run of ['84 85 85 79', '71 3 72', '3 0']) {
        found = (await find(run))[`Rows with the offsets ${run} somewhere`];
        const expected = inFull.filter((line) => ` ${offsets(line)} `.includes(` ${run} `)).map((line) => Number(/row: (\d+)/.exec(line)[1]));
        assert.ok(expected.length > 0);
        assert.deepEqual(found.rows.filter((row) => row <= 400).slice(0, 50), expected.slice(0, 50), run);
        assert.match(found.range, /of rows 0 to 10000$/);
    }
    await open('find=one');
    await shows('#found', '“one” is no sequence');
    assert.equal(await page.title(), 'Rows with one · Chomp');
});

check('the questions of the table have the answers of the program', async () => {
    const program = (...words) => spawnSync(resolve(CHOMP), words, { encoding: 'utf8' });
    const asked = { losers: { instant_winners: '[{0,1,2}]([{0}]^∞ ∪ [{2}, {}, {}]^∞)' }, ends: { row: '402' }, grundy: { position: '5 5 4 2' },
        moves: { position: '4x3' }, f: { position: '5 5,4' }, why: { row: '402' } };
    await open('find=27');
    const names = await page.locator('#table-question option').allInnerTexts();
    assert.deepEqual(names, Object.keys(asked));
    for (const [name, given] of Object.entries(asked)) {
        await page.selectOption('#table-question', name);
        for (const [argument, value] of Object.entries(given)) await page.fill(`#table-fields [name=${argument}]`, value);
        await page.click('#ask-table button');
        await page.locator('#table-answer summary').click();
        const words = Object.values(given);
        const { stdout, stderr } = program(name, ...words.flatMap((word) => (name === 'losers' ? [word] : word.split(' '))));
        const shown = await page.locator('#table-answer pre').first().textContent();
        assert.ok(stdout ? shown === stdout : stderr.includes(shown), `${name}: ${shown}`);
        const { stdout: object } = program(name, '--json', ...words.flatMap((word) => (name === 'losers' ? [word] : word.split(' '))));
        assert.deepEqual(JSON.parse(await page.locator('#table-answer pre').nth(1).textContent()), JSON.parse(object));
        const before = page.url();
        assert.match(before, new RegExp(`#ask=${name}&`));
        await page.reload();
        await page.locator('#table-answer summary').waitFor();
        assert.equal(await page.locator('#table-answer pre').first().textContent(), shown);
        assert.equal(page.url(), before);
    }
    await open('ask=ends&row=many');
    await shows('#table-answer .error', 'many');
    assert.equal(await page.title(), 'Question ends · Chomp');
});

check('100 000 lines scroll smoothly', async () => {
    await open('rows=100000&kind=all');
    await page.locator('#rows-summary', { hasText: /100.000/ }).waitFor({ timeout: 180000 });
    const { lines, longest, last } = await page.evaluate(async () => {
        const area = document.getElementById('rows-scroll');
        const [frame, times] = [() => new Promise((resolve) => { requestAnimationFrame(resolve); }), []];
        for (let step = 0; step < 60; step += 1) {
            area.scrollTop += 3000;
            const before = performance.now();
            area.dispatchEvent(new Event('scroll'));
            times.push(performance.now() - before);
            await frame();
        }
        area.scrollTop = area.scrollHeight;
        await frame();
        await frame();
        const rows = [...document.querySelectorAll('#rows-table th')];
        times.sort((a, b) => a - b);
        return { lines: rows.length, longest: times[54], last: rows.at(-1).innerText };
    });
    assert.equal(last, '100000');
    assert.ok(lines < 100, `${lines} lines are in the page`);
    // Nine of ten steps take less than a frame of 60 in a second.
    assert.ok(longest < 16, `${longest} ms`);
});

check('rows lie one over the other, and the slider moves them', async () => {
    await open('overlay=800&number=2&with=halves');
    await shows('#overlay-caption', 'r = 400, 800');
    assert.equal(await page.locator('#overlay-figure .dots').count(), 2);
    await page.fill('#overlay-row', '120');
    await shows('#overlay-caption', 'r = 60, 120');
    assert.match(page.url(), /#overlay=120&number=2&with=halves$/);
});

const lessonTexts = () => JSON.parse(readFileSync(new URL('../page/texts.json', import.meta.url), 'utf8')).lesson;

check('the lesson has five steps, and old links to a language work', async () => {
    await open('lesson=1&lang=de');
    await shows('#lesson-heading', '1. The first player can win');
    for (const heading of ['2. Two rows', '3. Squares', '4. Three rows', '5. What nobody knows']) {
        await page.click('#lesson-on');
        await shows('#lesson-heading', heading);
    }
    assert.ok(await page.isDisabled('#lesson-on'));
    await page.goBack();
    await shows('#lesson-heading', '4. Three rows');
    await page.click('#lesson-link a');
    await shows('#row-answer', 'Row 120 is periodic, with period 2.');
    for (const { link } of lessonTexts().steps) {
        await page.goto(`${address}${link.to}`);
        await page.locator('[role=tabpanel]:visible').waitFor();
        assert.ok(page.url().startsWith(`${address}${link.to}`), page.url());
    }
});

check('each bite in the text of the lesson is answered as the rules say', async () => {
    const winners = [];
    for (const [step, { board, text: says, good, bad }] of lessonTexts().steps.entries()) {
        await open(`lesson=${step + 1}`);
        const links = [...says.join().matchAll(/\]\((\d+)\.(\d+)\)/g)];
        winners.push(links.filter(([, row, column]) => isP(bitten(board, Number(row), Number(column)))).length);
        for (const [index, [, row, column]] of links.entries()) {
            await page.locator('#lesson-text a').nth(index).click();
            await shows('#lesson-status', 'Your turn.');
            const own = bitten(board, Number(row), Number(column));
            const reply = await left('#lesson-board');
            assert.ok(bites(own).some((other) => other.join() === reply.join()), `${own} to ${reply}`);
            assert.equal(isP(reply), !isP(own), `${own} to ${reply}`);
            const told = { left: `(${own})`, reply: `(${reply})` };
            const why = (isP(own) ? good : bad).replace(/\{(\w+)\}/g, (_, name) => told[name]);
            assert.equal(await text('#lesson-why'), why);
        }
        assert.ok(links.length > 0);
    }
    // The first bite is refuted, one of each step wins, as the texts say, and the middle of 8 x 10 does not.
    assert.deepEqual(winners, [0, 1, 1, 1, 0]);
});

check('on a telephone a bite in the text of the lesson shows what came of it', async () => {
    await page.setViewportSize({ width: 375, height: 640 });
    await open('lesson=1');
    await page.locator('#lesson-text a').first().click();
    await shows('#lesson-status', 'Your turn.');
    const { y, height } = await page.locator('#lesson-why').boundingBox();
    assert.ok(y > 0 && y + height <= 640, `${y}, ${height}`);
});

check('in the lesson a bite is stolen, and two rows are won', async () => {
    await open('lesson=1');
    await page.locator('#lesson-text a').first().click();
    await shows('#lesson-status', 'Your turn.');
    const reply = await left('#lesson-board');
    await page.click('#lesson-again');
    await shows('#lesson-status', 'Steal it');
    assert.deepEqual(await left('#lesson-board'), [6, 6, 6, 6]);
    await page.locator('#lesson-board .reply').first().click();
    await shows('#lesson-why', `Whoever bites in (${reply}) loses`);
    await open('lesson=2');
    await page.locator('#lesson-text a').first().click();
    await page.locator('#lesson-status').filter({ hasText: 'Your turn.' }).waitFor();
    // The upper row is left one longer than the lower one.
    for (let [upper, lower] = await left('#lesson-board'); upper > 1 || lower > 0; [upper, lower] = await left('#lesson-board')) {
        const square = upper > lower + 1 ? [1, lower + 2] : [2, upper];
        await page.click(`#lesson-board [data-row="${square[0]}"][data-column="${square[1]}"]`);
        await page.locator('#lesson-status').filter({ hasText: /Your turn|You win/ }).waitFor();
    }
    await shows('#lesson-status', 'You win!');
});

check('an address that is none is refused, or mended', async () => {
    for (const [asked, selector, words] of [
        ['overlay=abc', '#overlay-caption', '“abc” is no row from 1 to 2000'],
        ['overlay=5000', '#overlay-caption', '“5000” is no row from 1 to 2000'],
        ['row=abc', '#row-said', '“abc” is none'],
        ['row=120&level=x', '#row-said', '“x” is none'],
        ['rows=-3', '#rows-summary', '“-3” is none'],
        ['play=7,5,y', '#play-status', 'is not a number of squares'],
    ]) {
        await open(asked);
        await shows(selector, words);
        assert.ok(page.url().endsWith(`#${asked}`), page.url());
    }
    assert.equal(await page.locator('#play-board .there').count(), 0);
    await open('overlay=800&number=9');
    await shows('#overlay-caption', 'r = 200, 400, 800');
    await open('row=402&part=0.0.0');
    await shows('#sheet-caption', 'q − 402 and p − q to 301');
    await page.waitForURL(/#row=402$/);
});

check('rows below 120 are listed, and a pattern that is none is told', async () => {
    await open('rows=50');
    await shows('#rows-count', '51 rows.');
    assert.equal(await page.inputValue('#rows-kind'), 'all');
    assert.match(page.url(), /#rows=50$/);
    await page.fill('#rows-pattern', 'abc');
    await shows('#rows-count', '“abc” is no pattern');
});

check('positions are read as they are pasted, and told in short if they have many rows', async () => {
    await open('position');
    const ask = async (typed) => {
        await page.fill('#position-text', typed);
        await page.click('#new-game button');
    };
    for (const typed of ['7;5;3', '"7","5","3"', '7,5,3,', '\ufeff7 5 3', '7\t5\t3']) {
        await ask('9 8');
        await shows('#position-answer', '(9, 8, 0) is a P-position');
        await ask(typed);
        await shows('#position-answer', '(7, 5, 3) is an N-position');
    }
    await ask('1000x3');
    await shows('#position-answer', '(1000 rows of 3) is an N-position.');
    await shows('#position-answer', 'it leaves the P-position (585 rows of 3, 415 rows of 1)');
    await ask('1x20');
    await shows('#position-answer', 'it leaves the P-position (1, 0, 0)');
    const { stdout } = spawnSync(resolve(CHOMP), ['query', 'ωxω'], { encoding: 'utf8' });
    await ask('ωxω');
    await shows('#position-answer', 'ω×ω is an N-position.');
    assert.deepEqual((await text('#position-answer')).split(/\n+/), stdout.trim().split('\n'));
    // What fails has an address as well.
    await ask('3 5 1');
    await shows('#position-answer', 'is longer than the row before it');
    assert.match(page.url(), /#position=3%205%201$/);
    assert.equal(await page.title(), 'Who wins 3 5 1? · Chomp');
});

check('a loss that is undone counts once, and so does a puzzle', async () => {
    await open('play=2,1');
    const lose = async () => {
        await page.click('#play-board [data-row="2"][data-column="1"]');
        await shows('#play-status', 'The program wins');
    };
    for (let time = 0; time < 2; time += 1) {
        await lose();
        await shows('#score', 'you 0, the program 1');
        await page.reload();
        await shows('#play-status', 'The program wins');
        await page.click('#undo');
        await shows('#play-status', 'Before bite 1 of 2.');
    }
    await lose();
    await shows('#score', 'you 0, the program 1');
    await page.click('#new-game button');
    await shows('#play-status', 'Your turn');
    await lose();
    await shows('#score', 'you 0, the program 2');
    await open('play=4,4,4,4&puzzle=hard');
    for (let time = 0; time < 2; time += 1) {
        await shows('#play-status', 'Which bite wins?');
        await page.click('#play-board [data-row="2"][data-column="2"]');
        await shows('#play-status', 'Right');
        await shows('#score', /Puzzles solved: 1\.$/);
        await page.click('#undo');
    }
});

/** How many bites win a puzzle. */
const WINNING = { easy: (number) => number >= 3, medium: (number) => number === 2, hard: (number) => number === 1 };

const winning = (lengths) => bites(lengths.filter(Boolean)).filter(isP).length;

check('500 different puzzles of each grade have as many solutions as it says, and so have those of 500 days', async () => {
    await open('play');
    await myTurn();
    for (const [grade, isRight] of Object.entries(WINNING)) {
        const posed = await page.evaluate(async (name) => {
            const found = new Map();
            for (let number = 0; found.size < 500; number += 1) {
                const position = await pose(name, number);
                found.set(position.join(), position);
            }
            return [...found.values()];
        }, grade);
        assert.deepEqual(posed.filter((lengths) => !isRight(winning(lengths))), [], grade);
    }
    const days = await page.evaluate(() => Promise.all(Array.from({ length: 500 }, (_, index) =>
        poseDaily(new Date((20454 + index) * 86400000).toISOString().slice(0, 10)))));
    for (const [index, { grade, position }] of days.entries()) {
        assert.ok(WINNING[grade](winning(position)), `day ${index}: ${position}`);
        assert.notEqual(position.join(), days[index - 1]?.position.join(), `day ${index}`);
    }
});

check('puzzles of a grade differ, and a wrong bite shows its refutation', async () => {
    await open('play=4,4,4,4&puzzle=easy');
    await shows('#play-status', 'Which bite wins?');
    let last = '4,4,4,4';
    for (let time = 0; time < 10; time += 1) {
        await page.click('#new-puzzle');
        await page.waitForFunction((hash) => !location.hash.startsWith(`#play=${hash}&`), last);
        last = /#play=([\d,]+)/.exec(page.url())[1];
        const lengths = last.split(',').map(Number);
        assert.ok(bites(lengths).filter(isP).length >= 3, last);
    }
    await open('play=4,4,4,4&puzzle=hard');
    await shows('#play-status', 'Which bite wins?');
    await page.click('#play-board [data-row="4"][data-column="4"]');
    await shows('#play-status', 'The reply takes the orange squares');
    const taken = await page.locator('#play-board .reply').evaluateAll((all) =>
        all.map(({ dataset }) => [Number(dataset.row), Number(dataset.column)]));
    const [row, column] = taken[0];
    assert.ok(isP([4, 4, 4, 3].map((length, index) => (index + 1 < row ? length : Math.min(length, column - 1)))));
});

check('the page as one file needs no other file', async () => {
    const folder = join(DATA, 'alone');
    rmSync(folder, { recursive: true, force: true });
    cpSync(join(resolve(PAGE), 'chomp.html'), join(folder, 'chomp.html'));
    await page.goto(`${pathToFileURL(join(folder, 'chomp.html')).href}#position=8x10`);
    await shows('#position-answer', 'is an N-position');
    assert.equal(await page.locator('#play-board .wins').count(), 2);
});

check('a page without its module says which file it needs', async () => {
    const folder = join(DATA, 'without');
    rmSync(folder, { recursive: true, force: true });
    cpSync(join(resolve(PAGE), 'index.html'), join(folder, 'index.html'));
    await page.goto(`${pathToFileURL(join(folder, 'index.html')).href}#position=8x10`);
    await shows('#position-answer .error', /The file module\.js is missing/);
    problems.length = 0;
});

check('a link is copied, or shown', async () => {
    await open('position=8x10');
    await shows('#position-answer', 'is an N-position');
    await page.click('#copy-link');
    await shows('#copied', /Copied|#position=8x10/);
});

check('work is stopped, and the page answers the while', async () => {
    await open('rows');
    await shows('#rows-summary', /5.?858 finite/);
    await page.fill('#rows-to', '100000');
    await page.click('#ask-rows button');
    await page.locator('#stop').waitFor();
    // Another tab works meanwhile.
    await open('position=9,6,5');
    await shows('#position-answer', 'is a P-position');
    await page.locator('#work').waitFor({ state: 'hidden' });
    await page.click('#tab-rows');
    await page.click('#stop');
    await page.locator('#work').waitFor({ state: 'hidden' });
    await shows('#rows-summary', 'Stopped. These are still the rows of before. Rows 0 to 10');
    // Field, address and table agree.
    assert.equal(await page.inputValue('#rows-to'), '10000');
    assert.match(page.url(), /#rows=10000$/);
    await page.fill('#rows-to', '200');
    await page.click('#ask-rows button');
    await shows('#rows-summary', 'Rows 0 to 200: ');
});

/** Drops files or folders of the disk on the page, as a file manager does. */
async function dropFiles(...files) {
    const devtools = await context.newCDPSession(page);
    const box = await page.locator('#drop').boundingBox();
    const data = { items: [], files: files.map((file) => resolve(file)), dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop']) {
        await devtools.send('Input.dispatchDragEvent', { type, x: box.x + 40, y: box.y + 20, data });
    }
}

check('rows 0 to 200 are dropped and verified', async () => {
    await open('verify');
    await dropFiles(join(DATA, 'true'));
    await shows('#verdict', '✓ Verified');
    const words = await text('#verdict pre');
    assert.match(words, /^Verified: rows 0 to 200, depths structure, tails, heads\./);
    assert.ok(words.includes('Proved: every row from 0 to 200 is as stated, 84 of them periodic'));
    assert.ok(words.includes('Assumed: nothing.'));
});

check('levels and tails are verified', async () => {
    await open('verify');
    await dropFiles(fileURLToPath(new URL('../../crates/record/tests/fixtures/format-2', import.meta.url)));
    await shows('#verdict', '✓ Verified');
    await shows('#verdict pre', 'levels 0 to 2, tails within (6,2)');
});

check('a forged data set is refused, and so are one that is cut and one that is not whole', async () => {
    await open('verify');
    await dropFiles(join(DATA, 'forged'));
    await shows('#verdict', '✗ Refuted');
    assert.match(await text('#verdict pre'),
        /row 120, line 122 of rows-0000000-0000200\.ron: values gives offset 70 in column 170, but .* follows 72/);
    await page.uncheck('#heads');
    await dropFiles(join(DATA, 'true'));
    await shows('#verdict pre', 'Assumed: heads, first and last of all rows are right');
    await dropFiles(join(DATA, 'true', 'MANIFEST.ron'), join(DATA, 'forged', 'rows-0000000-0000200.ron'));
    await shows('#verdict pre', 'its hash is');
    await page.setInputFiles('#files', join(DATA, 'true', 'rows-0000000-0000200.ron'));
    await shows('#verdict pre', 'MANIFEST.ron is not among the files');
    await page.setInputFiles('#files', ['MANIFEST.ron', 'rows-0000000-0000200.ron'].map((name) => join(DATA, 'true', name)));
    await shows('#verdict', '✓ Verified');
});

check('the same bytes get the verdict of chomp check', async () => {
    await open('verify');
    const folder = join(DATA, 'changed');
    const replaced = (bytes) => Buffer.concat([bytes.subarray(0, 90), Buffer.from([0xff]), bytes.subarray(91)]);
    const changes = {
        unchanged: (bytes) => bytes,
        'a byte order mark': (bytes) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
        'invalid UTF-8': replaced,
        'lines that end with CRLF': (bytes) => Buffer.from(bytes.toString().replaceAll('\n', '\r\n')),
    };
    for (const name of ['MANIFEST.ron', 'rows-0000000-0000200.ron']) {
        for (const [change, changed] of Object.entries(changes)) {
            rmSync(folder, { recursive: true, force: true });
            cpSync(join(DATA, 'true'), folder, { recursive: true });
            writeFileSync(join(folder, name), changed(readFileSync(join(folder, name))));
            const { status, stdout, stderr } = spawnSync(resolve(CHOMP), ['check', '--quiet', '--heads', folder],
                { encoding: 'utf8' });
            assert.equal(status, change === 'unchanged' ? 0 : 3, `${name}, ${change}: ${stderr}`);
            const words = (stdout + stderr).replace(/^error: /, '').replaceAll(`${folder}/`, '');
            await page.locator('#verdict').evaluate((verdict) => verdict.replaceChildren());
            await dropFiles(folder);
            await page.locator('#verdict .verdict').waitFor();
            const title = status === 0 ? '✓ Verified' : '✗ Refused';
            assert.equal(await text('#verdict .verdict'), title, `${name}, ${change}`);
            assert.equal((await text('#verdict pre')).trim(), words.trim(), `${name}, ${change}`);
        }
    }
});

check('a row and a position are cited', async () => {
    await open('row=120');
    await shows('#row-more', 'The Chomp authors');
    const shown = await text('#row-more');
    const record = outputs('rows-10000/rows-0000000-0009999.ron').find((line) => line.startsWith('Periodic(row: 120,'));
    assert.ok(shown.includes(record));
    assert.match(shown, /BLAKE3 of the record: [0-9a-f]{64}\./);
    // Proof, downloads, citation, record: in this order.
    assert.deepEqual(await page.locator('#row-more h2').allInnerTexts(), ['Proved by', 'Keep it', 'Cite', 'Numbers and record']);
    await page.click('#row-more summary:text("BibTeX")');
    await shows('#row-more pre', '@misc{chomp-row-120-of-three-rowed-chomp,');
    await open('position=7,5,3');
    await page.click('#kept summary');
    await shows('#kept', 'The Chomp authors, The position (7, 5, 3) of Chomp');
    const answer = JSON.parse(await text('#kept > pre'));
    assert.deepEqual([answer.outcome, answer.position], ['N', ['7', '5', '3']]);
    assert.equal(await page.title(), 'Who wins 7,5,3? · Chomp');
});

check('boards are solved, old links work, and a strategy is drawn', async () => {
    // The 2005 paper, 7.1: 8 x 10 has two winning openings.
    await open('boards=8x10');
    await shows('#position-answer', 'is an N-position');
    assert.equal(await page.locator('#play-board .wins').count(), 2);
    assert.match(page.url(), /#position=8x10$/);
    await open('position=3x1000');
    await shows('#position-answer', 'rests on rows 0 to 1000');
    await open('position=[4557]');
    await page.click('#strategy summary');
    await page.locator('#strategy svg').waitFor();
    await shows('#strategy .caption', 'The P-position (7,5,5,4)');
    await page.selectOption('#opponent', 'perfect');
    await page.waitForURL(/#play=\[4557\]$/);
    await shows('#play-status', 'Your turn');
    await open('position=8y10');
    await shows('#position-answer .error', '8y10');
});

/** Waits until a tab has what it shows when it is opened. */
const ready = {
    play: () => page.locator('#play-board .there').first().waitFor(),
    position: () => page.locator('#position-answer .verdict').waitFor(),
    daily: () => page.locator('#play-status').filter({ hasText: 'Which bite wins?' }).waitFor(),
    lost: () => shows('#lost-why', 'You never had a winning position'),
    row: () => page.locator('#sheet > svg').waitFor(),
    rows: () => page.locator('#rows-table th').first().waitFor(),
    find: () => page.locator('#found li').first().waitFor(),
    overlay: () => page.locator('#overlay-figure > svg').waitFor(),
    lesson: () => page.locator('#lesson-board .there').first().waitFor(),
    verify: async () => {
        await page.click('#own-data');
        await page.locator('#verdict .verdict').waitFor();
    },
};

check('tabs are changed with the keyboard, and the address names them', async () => {
    await open('');
    await page.focus('#tab-play');
    for (const tab of [...TABS.slice(1), 'play']) {
        await page.keyboard.press('ArrowRight');
        await page.locator(`#panel-${tab}`).waitFor();
        assert.equal(await page.getAttribute(`#tab-${tab}`, 'aria-selected'), 'true');
        assert.match(page.url(), new RegExp(`#${tab}`));
    }
    await page.keyboard.press('End');
    await page.locator('#panel-verify').waitFor();
    await page.keyboard.press('Home');
    await page.locator('#panel-play').waitFor();
});

for (const scheme of ['light', 'dark']) {
    check(`axe finds no fault, ${scheme}`, async () => {
        await page.emulateMedia({ colorScheme: scheme });
        for (const tab of [...TABS, 'position', 'daily', 'lost']) {
            await open(tab === 'lost' ? 'play=2,1&bites=2.1,1.2' : tab);
            await ready[tab]();
            await page.evaluate(readFileSync(require.resolve('axe-core'), 'utf8'));
            const { violations } = await page.evaluate(() => window.axe.run({ preload: false }));
            const found = violations.map(({ id, nodes }) => `${tab}: ${id}: ${nodes.map(({ html }) => html).join('\n')}`);
            assert.deepEqual(found, []);
            if (!SHOTS) continue;
            for (const width of [1280, 375]) {
                await page.setViewportSize({ width, height: 900 });
                await page.screenshot({ path: join(SHOTS, `${scheme}-${width}-${tab}.png`), fullPage: true });
            }
            await page.setViewportSize({ width: 1000, height: 900 });
        }
    });
}

/** The contrast to the paper of a figure (WCAG 2.2, relative luminance), of the pixel of an element that
 * has most of it, and of its middle. */
async function contrast(element) {
    const png = (await element.screenshot()).toString('base64');
    const paper = await element.evaluate((part) => getComputedStyle(part.closest('.sheet, .figure')).backgroundColor);
    return page.evaluate(async ([data, colour]) => {
        const image = new Image();
        image.src = `data:image/png;base64,${data}`;
        await image.decode();
        const { width, height } = image;
        const canvas = new OffscreenCanvas(width, height).getContext('2d');
        canvas.drawImage(image, 0, 0);
        const { data: pixels } = canvas.getImageData(0, 0, width, height);
        const linear = (part) => (part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
        const light = ([red, green, blue]) => 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
        const background = light(colour.match(/\d+/g).map(Number)) + 0.05;
        const ratio = (index) => {
            const here = light(pixels.slice(4 * index)) + 0.05;
            return Math.max(here / background, background / here);
        };
        const all = Array.from({ length: width * height }, (_, index) => ratio(index));
        return { most: Math.max(...all), middle: ratio(width * Math.floor(height / 2) + Math.floor(width / 2)) };
    }, [png, paper]);
}

// WCAG 2.2, 1.4.11: 3:1 for the parts of graphics that are needed to understand them.
check('the fillings of figures stand out from their paper, and captions name no colour of print', async () => {
    for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme });
        // Row 402: rows 399 and 400, and one period; three shades of its sheet.
        await open('row=402');
        await ready.row();
        const filled = page.locator('#panel-row .legend svg:has([fill]:not([fill="none"]))');
        assert.equal(await filled.count(), 6);
        for (const swatch of await filled.all()) {
            const { most, middle } = await contrast(swatch);
            const name = `${colorScheme}: ${await swatch.evaluate((svg) => svg.parentElement.textContent)}`;
            assert.ok(most >= 3, `${name}: ${most}`);
            if (/instant|third|more/.test(name)) assert.ok(middle >= 3, `${name}: ${middle}`);
        }
        for (const tab of ['row', 'rows', 'overlay']) {
            await open(tab);
            await ready[tab]();
            const captions = await page.locator(`#panel-${tab} .caption`).allInnerTexts();
            assert.ok(captions.join('').length > 100);
            assert.doesNotMatch(captions.join(' '), /white|black|dark|light/i);
        }
    }
});

check('a browser that cannot run the module is told why', async () => {
    await page.addInitScript(() => { delete window.DecompressionStream; });
    await open('position=7,5,3');
    await shows('#position-answer .error', 'needs WebAssembly, workers and DecompressionStream');
    await open('play=4x4');
    await shows('#play-status', 'needs WebAssembly');
});

check('a question that comes before the module is loaded is answered after the one before it', async () => {
    // The module loads slowly in every worker.
    const slow = `const instantiate = WebAssembly.instantiateStreaming;
        WebAssembly.instantiateStreaming = async (...all) => {
            await new Promise((resolve) => { setTimeout(resolve, 500); });
            return instantiate(...all);
        };`;
    await page.addInitScript((lines) => {
        const { Blob } = window;
        window.Blob = class extends Blob {
            constructor(parts, options) {
                super(options?.type === 'text/javascript' ? [lines, ...parts] : parts, options);
            }
        };
    }, slow);
    await open('play');
    await page.waitForTimeout(200);
    await open('play=3,3,3');
    await page.locator('#play-board .there').nth(8).waitFor();
    assert.equal(await page.locator('#play-board .there').count(), 9);
    assert.match(page.url(), /#play=3,3,3$/);
});

/** The least side of a square of a board, in pixels: 12 of them fit a telephone. */
const LEAST_SQUARE = 28;

/** What a finger has to hit, and is smaller than 32 pixels, with the line below it; squares have their own test. Links and terms within
 * sentences are left out. */
const tooSmall = () => page.evaluate(() => [...document.querySelectorAll(
    'button:not(.term, .square, p > .link), select, input:not(.hidden, [type=checkbox]), label:has([type=checkbox]), summary, .examples a, #lesson-link a, #rows-table a',
)].filter((part) => part.checkVisibility()).map((part) => [part, part.getBoundingClientRect()])
    .filter(([, { width, height }]) => width < 31 || height < 31)
    .map(([{ localName, id, textContent }, { width, height }]) => `${localName} ${id} ${textContent}: ${width} x ${height}`));

check('the page fits a telephone, and a finger can hit its buttons', async () => {
    for (const width of [320, 375]) {
        await page.setViewportSize({ width, height: 640 });
        for (const tab of [...TABS, 'daily', 'position=7,5,3', 'position=10^100,10^99,120', 'play=12x12']) {
            await open(tab);
            await ready[tab.split('=')[0]]();
            const [all, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
            assert.ok(all <= room, `${tab}: ${all} of ${room}`);
            assert.deepEqual(await tooSmall(), [], tab);
        }
    }
});

check('the letters of figures can be read on a telephone', async () => {
    await page.setViewportSize({ width: 375, height: 640 });
    for (const tab of ['row', 'rows', 'overlay']) {
        await open(tab);
        await ready[tab]();
        const sizes = await page.locator(`#panel-${tab} .figure text, #panel-${tab} .sheet text`).evaluateAll((all) =>
            all.map((letters) => {
                const { a, b } = letters.getScreenCTM();
                return parseFloat(getComputedStyle(letters).fontSize) * Math.hypot(a, b);
            }));
        assert.ok(sizes.length > 5 && Math.min(...sizes) > 8, `${tab}: ${sizes}`);
        const legend = page.locator(`#panel-${tab} .legend`).first();
        assert.ok(await legend.evaluate((list) => parseFloat(getComputedStyle(list).fontSize)) >= 14);
    }
});

check('the board comes first on a telephone, and 12 x 12 squares fit it', async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    for (const [asked, there] of [['play=3,3,3', 9], ['play=12x12', 144], ['position=8x10', 80], ['position=[60,0,0]', 180]]) {
        await open(asked);
        const board = '#play-board';
        await page.waitForFunction(([place, number]) =>
            document.querySelectorAll(`${place} .there`).length === number, [board, there]);
        const sides = await page.evaluate((place) => [...document.querySelectorAll(`${place} .square`)].flatMap((square) =>
            [square.offsetWidth, square.offsetHeight]), board);
        assert.ok(Math.min(...sides) >= LEAST_SQUARE, `${asked}: ${Math.min(...sides)}`);
    }
    await page.setViewportSize({ width: 375, height: 640 });
    await open('play=12x12');
    await page.locator('#play-board .there').nth(143).waitFor();
    assert.ok(await page.locator('#play-board').evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth));
    await page.setViewportSize({ width: 320, height: 640 });
    await open('play=7,7,7');
    await myTurn();
    const isInSight = async (selector) => {
        const box = await page.locator(selector).boundingBox();
        assert.ok(box.y + box.height < 640, `the whole bar is in sight: ${selector}`);
    };
    await isInSight('#play-board');
    await open('position=7,5,3');
    await ready.position();
    await isInSight('#play-board');
});
