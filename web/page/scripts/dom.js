// Elements of the page.

export const at = (id) => document.getElementById(id);

/** Saves a text as a file. */
export function save(name, text) {
    const link = make('a', { download: name, href: URL.createObjectURL(new Blob([text])) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** An element with properties and children. */
export function make(name, properties = {}, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(properties)) {
        if (key.includes('-') || key === 'role' || key === 'for' || key === 'd') element.setAttribute(key, value);
        else element[key] = value;
    }
    element.append(...children);
    return element;
}

export const pause = (time) => new Promise((resolve) => { setTimeout(resolve, time); });
