// Files as the module takes them.

/** The bytes of a file, a character for each. `file.text()` would drop a byte order mark and replace
 * invalid UTF-8. */
export function bytes(file) {
    return new Promise((resolve, reject) => {
        const reader = new FileReader();
        reader.onload = () => resolve(reader.result);
        reader.onerror = () => reject(reader.error);
        reader.readAsBinaryString(file);
    });
}
