//! Texts to and from JavaScript, through the memory of the module.
//!
//! JavaScript asks for [`room`], writes its question there in UTF-8, and calls [`answer`]; from
//! [`text`] on it finds the answer. It gives the module one function, `progress`.
#![expect(unsafe_code, reason = "the names of these functions are symbols of the module")]

use std::cell::RefCell;

use driver::{Watch, Work};

use crate::Session;

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Receives the finished part of the work, from 0 to 1.
    safe fn progress(share: f64);
}

thread_local! {
    /// The question, then its answer.
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static SESSION: RefCell<Session> = RefCell::default();
    /// The number of rows or columns of the work.
    static ALL: RefCell<u64> = const { RefCell::new(0) };
}

/// Makes room for a question of this number of bytes, and returns its place.
#[unsafe(no_mangle)]
pub extern "C" fn room(bytes: usize) -> *mut u8 {
    TEXT.with_borrow_mut(|text| {
        text.clear();
        text.resize(bytes, 0);
        text.as_mut_ptr()
    })
}

/// Answers the question, and returns the number of bytes of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    let question = TEXT.take();
    let question = String::from_utf8_lossy(&question);
    let answer = SESSION.with_borrow_mut(|session| session.answer(&question, &Page));
    let bytes = answer.len();
    TEXT.set(answer.into_bytes());
    bytes
}

/// The place of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn text() -> *const u8 {
    TEXT.with_borrow(Vec::as_ptr)
}

/// The page shows the progress. It interrupts by ending the worker that runs this code.
struct Page;

impl Watch for Page {
    fn begin(&self, work: Work) {
        ALL.set(work.all);
    }

    fn done(&self, number: u64) {
        let all = ALL.with_borrow(|all| *all).max(1);
        #[expect(clippy::cast_precision_loss, reason = "it is only shown")]
        progress(number as f64 / all as f64);
    }
}
