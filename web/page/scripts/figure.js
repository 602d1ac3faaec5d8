// Figures that the module has drawn.
import { make } from './dom.js';

/** An entry of a legend: its text, with the marks before it; or a heading, which has none. On a screen
 * nothing has the width in millimetres that it has on paper. */
function entry(marks, label) {
    if (marks.length === 0) {
        const text = label.textContent.replace(/ [\d.]+ mm wide/, '');
        return make('li', { className: 'heading' }, text);
    }
    const sketch = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    // Marks are 620 wide and end 150 before the text, whose letters are 190 high.
    const [x, y] = ['x', 'y'].map((side) => Number(label.getAttribute(side)));
    sketch.setAttribute('viewBox', `${x - 770} ${y - 245} 620 300`);
    sketch.setAttribute('aria-hidden', 'true');
    sketch.append(...marks);
    return make('li', {}, sketch, label.textContent);
}

/** The legend of a figure as a list, taken out of the figure: its letters would be too small on a
 * phone. */
function takeLegend(figure) {
    const list = make('ul', { className: 'legend' });
    let marks = [];
    for (const part of figure.querySelectorAll('.legend')) {
        part.remove();
        if (part.localName === 'text') {
            list.append(entry(marks, part));
            marks = [];
        } else {
            marks.push(part);
        }
    }
    return list;
}

/** Puts a figure into an element: without title and caption, which the page has itself, and with its
 * legend below it. */
export function putFigure(element, svg, label) {
    const figure = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
    for (const selector of ['.title', '.caption', '.paper', 'title', 'desc']) {
        for (const part of figure.querySelectorAll(selector)) part.remove();
    }
    figure.removeAttribute('width');
    figure.removeAttribute('height');
    figure.setAttribute('aria-label', label);
    const legend = takeLegend(figure);
    element.replaceChildren(figure, ...(legend.hasChildNodes() ? [legend] : []));
    const box = figure.getBBox();
    const edge = 60;
    figure.setAttribute('viewBox',
        [box.x - edge, box.y - edge, box.width + 2 * edge, box.height + 2 * edge].join(' '));
    return figure;
}
