// A long table. Only its visible lines are in the page.

/** The height of a line, in pixels: that of the style sheet. */
const LINE = 32;
/** Lines that are drawn beyond each edge. */
const BEYOND = 12;

/** A table that scrolls in `area`; `draw(index)` makes a line, all of one height. */
export class LongTable {
    #area;
    #body;
    #draw;
    #length = 0;
    #first = -1;

    constructor(area, body, draw) {
        this.#area = area;
        this.#body = body;
        this.#draw = draw;
        area.addEventListener('scroll', () => this.#fill(), { passive: true });
        new ResizeObserver(() => this.#fill(true)).observe(area);
    }

    /** Shows this number of lines, from the first one on. */
    show(length) {
        this.#length = length;
        this.#area.scrollTop = 0;
        this.#fill(true);
    }

    #fill(isNew = false) {
        const height = this.#area.clientHeight || 600;
        const first = Math.max(0, Math.floor(this.#area.scrollTop / LINE) - BEYOND);
        if (!isNew && Math.abs(first - this.#first) < BEYOND / 2) return;
        this.#first = first;
        const last = Math.min(this.#length, first + Math.ceil(height / LINE) + 2 * BEYOND);
        const lines = [];
        for (let index = first; index < last; index += 1) lines.push(this.#draw(index));
        this.#body.replaceChildren(space(first), ...lines, space(this.#length - last));
        this.#body.parentElement.setAttribute('aria-rowcount', this.#length + 1);
    }
}

/** Empty space in place of lines that are not drawn. */
function space(lines) {
    const row = document.createElement('tr');
    row.className = 'space';
    row.setAttribute('aria-hidden', 'true');
    row.style.height = `${lines * LINE}px`;
    return row;
}
