//! Words from sequences of finite rows, spelled out by hand, and words as text.

use cascade::{Refuted, Word, WordReader};

/// The words of rows, where `f` is a finite row and any other letter a periodic one.
fn words(rows: &str) -> Result<Vec<String>, Refuted> {
    let mut words = WordReader::default();
    let mut texts = Vec::new();
    for row in rows.chars() {
        texts.extend(words.next(row == 'f')?.map(|word| word.to_string()));
    }
    Ok(texts)
}

#[test]
fn differences_decide() {
    // Differences 2, 2 between constant rows, then 1: three constant rows and one that moves.
    assert_eq!(words("pfpfpp").unwrap(), ["1:", "2:", "3:", "3:A"]);
    // 3 between constant rows: a new cluster. After a row that moves, 2: another one.
    assert_eq!(words("pffppfpfp").unwrap(), ["1:", "1:", "1:A", "1:AA", "1:AAA"]);
    // After a row that moves, 3: a constant row in the cluster; then 2 and 1.
    assert_eq!(
        words("ppffpppffpfpp").err().map(|refuted| refuted.row),
        Some(6),
        "a row that moves, and a periodic row right above it"
    );
    // The rest of its cluster has no words; the next cluster has.
    let mut reader = WordReader::default();
    let read: Vec<Option<String>> = "pppffpfffpp"
        .chars()
        .filter_map(|row| reader.next(row == 'f').map(|word| word.map(|it| it.to_string())).ok())
        .collect();
    let words_of = |row: &Option<String>| row.clone().unwrap_or_default();
    let found: Vec<String> = read.iter().map(words_of).collect();
    assert_eq!(found, ["1:", "1:A", "", "", "", "", "", "1:", "1:A"]);
    assert_eq!(
        words("ppffppffpfpp").unwrap(),
        ["1:", "1:A", "1:As", "1:AsA", "1:AsAs", "1:AsAss", "1:AsAssA"]
    );
    // 3, then 3: the cluster ends. After a row that moves, 4 ends it at once.
    assert_eq!(words("ppffpffpp").unwrap(), ["1:", "1:A", "1:As", "1:", "1:A"]);
    assert_eq!(words("ppfffpp").unwrap(), ["1:", "1:A", "1:", "1:A"]);
    assert_eq!(words("ffff").unwrap(), [""; 0]);
}

#[test]
fn texts() {
    for text in ["1:", "12:", "1:A", "2:AAAA", "1:AsA", "3:AssAs"] {
        let word: Word = text.parse().unwrap();
        assert_eq!(word.to_string(), text);
        assert_eq!(word.before().is_none(), text == "1:");
    }
    for text in
        ["", "A", ":A", "0:A", "01:A", "+1:A", "1:a", "1:S", "1", "1:A ", "99999999999999999999:A"]
    {
        let error = text.parse::<Word>().unwrap_err().to_string();
        assert!(error.starts_with(&format!("`{text}` is not a word: write how many")), "{error}");
    }
    let error = "2:sA".parse::<Word>().unwrap_err().to_string();
    assert!(error.starts_with("`2:sA` is not a word: the first letter is A"), "{error}");
    let before = |text: &str| text.parse::<Word>().unwrap().before().unwrap().to_string();
    assert_eq!([before("2:AsA"), before("2:A"), before("2:")], ["2:As", "2:", "1:"]);
}

/// The numbers of rows agree with the rows that a word is read from.
#[test]
fn words_have_their_rows() {
    for (rows, text) in
        [("p", "1:"), ("pfpfpp", "3:A"), ("pfppfp", "2:AA"), ("ppffppffpfpp", "1:AsAssA")]
    {
        let word: Word = text.parse().unwrap();
        assert_eq!(words(rows).unwrap().last().unwrap(), text);
        assert_eq!(word.rows(), rows.len() as u64);
        assert_eq!(word.periodic_rows(), rows.matches('p').count() as u64);
    }
}
