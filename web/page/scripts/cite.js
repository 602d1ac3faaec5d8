// How to cite what the page shows.
import { make } from './dom.js';
import { say } from './say.js';

/** The address of what is shown, without the parts that only change the view, or with this hash; that of the sources, if
 * the page is on no server. */
export const permanent = (hash = location.hash.replace(/&(?!level).*$/, '')) =>
    (location.protocol.startsWith('http') ? location.href.split('#')[0] + hash : ENGINE.source);

/** As text and for BibTeX, with a note that identifies what is cited. */
export function citation(title, note, address = permanent()) {
    const key = title.toLowerCase().replace(/\W+/g, ' ').trim().replaceAll(' ', '-');
    const cited = { authors: say('authors'), title, version: ENGINE.version, note };
    const bibtex = say('bibtex-entry', { ...cited, key, address });
    return [make('p', {}, say('citation', cited), make('a', { href: address }, address), say('citation-note', cited)),
        make('details', {}, make('summary', {}, say('bibtex')), make('pre', { className: 'broken' }, bibtex))];
}
