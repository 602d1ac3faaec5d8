// How to cite what the page shows.
import { make } from './dom.js';

/** The address of what is shown, without the parts that only change the view, or with this hash; that of the sources, if
 * the page is on no server. */
export const permanent = (hash = location.hash.replace(/&(?!level).*$/, '')) =>
    (location.protocol.startsWith('http') ? location.href.split('#')[0] + hash : ENGINE.source);

/** As text and for BibTeX, with a note that identifies what is cited. */
export function citation(title, note, address = permanent()) {
    const key = title.toLowerCase().replace(/\W+/g, ' ').trim().replaceAll(' ', '-');
    const bibtex = `@misc{chomp-${key},\n  author = {{The Chomp authors}},\n  title = {${title}},\n  howpublished = {\\url{${address}}},\n  note = {chomp ${ENGINE.version}; ${note}}\n}`;
    return [make('p', {}, `The Chomp authors, ${title}, chomp ${ENGINE.version}, `, make('a', { href: address }, address), `. ${note}.`),
        make('details', {}, make('summary', {}, 'BibTeX'), make('pre', { className: 'broken' }, bibtex))];
}
