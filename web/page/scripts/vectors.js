// The vector instructions of WebAssembly.

/** A module with one of them: a function without arguments, `i32x4.splat(0)`. */
const vectorModule = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0,
    10, 8, 1, 6, 0, 65, 0, 253, 17, 11);

/** Whether this browser has them. */
export const hasVectors = () => WebAssembly.validate(vectorModule);
