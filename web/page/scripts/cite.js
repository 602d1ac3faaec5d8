// How to cite what the page shows.
import { make } from './dom.js';

/** The address of what is shown, without the parts of it that only change the view; that of the sources, if
 * the page is on no server. */
const ownAddress = () => (location.protocol.startsWith('http') ? location.href.replace(/&(?!level).*$/, '') : ENGINE.source);

/** As text and for BibTeX, with a note that identifies what is cited. */
export function citation(title, note, address = ownAddress()) {
    const key = title.toLowerCase().replace(/\W+/g, ' ').trim().replaceAll(' ', '-');
    const bibtex = `@misc{chomp-${key},\n  author = {{The Chomp authors}},\n  title = {${title}},\n  howpublished = {\\url{${address}}},\n  note = {chomp ${ENGINE.version}; ${note}}\n}`;
    return [make('p', {}, `The Chomp authors, ${title}, chomp ${ENGINE.version}, `, make('a', { href: address }, address), `. ${note}.`),
        make('details', {}, make('summary', {}, 'BibTeX'), make('pre', { className: 'broken' }, bibtex))];
}
