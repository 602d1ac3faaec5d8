// What the browser keeps for this page, if it keeps anything: `sessionStorage` for the visit, `localStorage` for longer.

export function kept(storage, key) {
    try {
        return JSON.parse(globalThis[storage].getItem(key));
    } catch {
        return null;
    }
}

export function keep(storage, key, value) {
    try {
        globalThis[storage].setItem(key, JSON.stringify(value));
    } catch {
        // The page works without.
    }
}
