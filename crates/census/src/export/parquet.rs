//! Parquet: the fields of a [`Line`](super::Line), collected to row groups.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use super::line::{ExportError, Field, Line};

/// The numbers that a row group has: one for a row, and one for each offset of its head.
const GROUP: usize = 1 << 16;

impl From<ParquetError> for ExportError {
    fn from(error: ParquetError) -> Self {
        Self::Io(match error {
            ParquetError::External(source) => match source.downcast::<io::Error>() {
                Ok(error) => *error,
                Err(other) => io::Error::other(other),
            },
            other => io::Error::other(other),
        })
    }
}

pub(super) struct ParquetWriter<W: Write + Send> {
    file: SerializedFileWriter<W>,
    columns: Vec<ColumnPart>,
    /// Numbers in the row group so far.
    numbers: usize,
}

/// The part of a column that is in the current row group.
enum ColumnPart {
    Integers(Vec<i64>),
    Texts(Vec<ByteArray>),
    Lists(Lists),
}

/// Lists end to end, with the levels by which Parquet tells where they begin and which are empty.
#[derive(Default)]
struct Lists {
    members: Vec<i64>,
    definition: Vec<i16>,
    repetition: Vec<i16>,
}

impl Lists {
    fn push(&mut self, list: &[u64]) {
        if list.is_empty() {
            self.definition.push(0);
            self.repetition.push(0);
        }
        for (place, &member) in list.iter().enumerate() {
            self.members.push(integer(member));
            self.definition.push(1);
            self.repetition.push(i16::from(place > 0));
        }
    }
}

/// The numbers of a record are less than 2⁶³.
fn integer(number: u64) -> i64 {
    i64::try_from(number).expect("a record's numbers are less than 2^63")
}

impl<W: Write + Send> ParquetWriter<W> {
    /// A file with the columns of these fields.
    pub(super) fn new(fields: &Line, out: W) -> Result<Self, ExportError> {
        let columns: Vec<ColumnPart> =
            fields.iter().map(|(_, field)| ColumnPart::of(field)).collect();
        let names = fields.iter().map(|(name, _)| name);
        let fields = names.zip(&columns).map(|(name, column)| column.field(name));
        let schema = format!("message rows {{ {} }}", fields.collect::<String>());
        let schema = Arc::new(parse_message_type(&schema)?);
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let file = SerializedFileWriter::new(out, schema, Arc::new(properties))?;
        Ok(Self { file, columns, numbers: 0 })
    }

    pub(super) fn add(&mut self, fields: Line) -> Result<(), ExportError> {
        self.numbers += 1;
        if let Some(("head", Field::List(head))) = fields.last() {
            self.numbers += head.len();
        }
        let fields = fields.into_iter().map(|(_, field)| field);
        for (column, field) in self.columns.iter_mut().zip(fields) {
            column.push(field);
        }
        if self.numbers >= GROUP { self.write_group() } else { Ok(()) }
    }

    pub(super) fn finish(mut self) -> Result<W, ExportError> {
        if self.numbers > 0 {
            self.write_group()?;
        }
        Ok(self.file.into_inner()?)
    }

    fn write_group(&mut self) -> Result<(), ExportError> {
        let mut group = self.file.next_row_group()?;
        for column in &mut self.columns {
            let mut writer = group.next_column()?.expect("the schema has as many columns");
            match column {
                ColumnPart::Integers(numbers) => {
                    writer.typed::<Int64Type>().write_batch(numbers, None, None)?;
                    numbers.clear();
                }
                ColumnPart::Texts(texts) => {
                    writer.typed::<ByteArrayType>().write_batch(texts, None, None)?;
                    texts.clear();
                }
                ColumnPart::Lists(lists) => {
                    let Lists { members, definition, repetition } = std::mem::take(lists);
                    let (definition, repetition) = (Some(&definition[..]), Some(&repetition[..]));
                    writer.typed::<Int64Type>().write_batch(&members, definition, repetition)?;
                }
            }
            writer.close()?;
        }
        group.close()?;
        self.numbers = 0;
        Ok(())
    }
}

impl ColumnPart {
    fn of(field: &Field) -> Self {
        match field {
            Field::Integer(_) | Field::Signed(_) => Self::Integers(Vec::new()),
            Field::Text(_) => Self::Texts(Vec::new()),
            Field::List(_) => Self::Lists(Lists::default()),
        }
    }

    /// Its declaration in the schema.
    fn field(&self, name: &str) -> String {
        match self {
            Self::Integers(_) => format!("REQUIRED INT64 {name}; "),
            Self::Texts(_) => format!("REQUIRED BYTE_ARRAY {name} (UTF8); "),
            Self::Lists(_) => format!(
                "REQUIRED GROUP {name} (LIST) {{ REPEATED GROUP list {{ REQUIRED INT64 element; }} }} "
            ),
        }
    }

    fn push(&mut self, field: Field) {
        match (self, field) {
            (Self::Integers(numbers), Field::Integer(number)) => numbers.push(integer(number)),
            (Self::Integers(numbers), Field::Signed(number)) => numbers.push(number),
            (Self::Texts(texts), Field::Text(text)) => texts.push(text.into_bytes().into()),
            (Self::Lists(lists), Field::List(list)) => lists.push(&list),
            _ => unreachable!("all lines have the same columns"),
        }
    }
}
