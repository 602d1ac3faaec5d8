// The atlas that this page stands beside.

/** The folder of the atlas, as the page sees it; empty if there is none. */
export const ATLAS = document.querySelector('meta[name=atlas]').content;

/** The address of a row there. */
export const inAtlas = (row) => new URL(`${ATLAS}index.html#row=${row}`, location.href).href;
