// Figures that the module has drawn.

/** Puts a figure into an element: without title and caption, which the page has itself. */
export function putFigure(element, svg, label) {
    const figure = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
    for (const selector of ['.title', '.caption', '.paper', 'title', 'desc']) {
        for (const part of figure.querySelectorAll(selector)) part.remove();
    }
    figure.removeAttribute('width');
    figure.removeAttribute('height');
    figure.setAttribute('aria-label', label);
    element.replaceChildren(figure);
    const box = figure.getBBox();
    const edge = 60;
    figure.setAttribute('viewBox',
        [box.x - edge, box.y - edge, box.width + 2 * edge, box.height + 2 * edge].join(' '));
    return figure;
}
