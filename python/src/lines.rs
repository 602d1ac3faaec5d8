//! Lines of rows, gathered column by column in the memory layout of Apache Arrow.

use std::sync::Arc;

use arrow_array::builder::{Int64Builder, ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Schema};
use driver::Field;

/// The columns of a table on its way.
pub struct Columns(Vec<(&'static str, Column)>);

enum Column {
    Integers(Int64Builder),
    Texts(StringBuilder),
    Lists(ListBuilder<Int64Builder>),
}

impl Columns {
    /// Those of such lines.
    pub fn of(line: Vec<(&'static str, Field)>) -> Self {
        Self(line.iter().map(|(name, field)| (*name, Column::of(field))).collect())
    }

    pub fn add(&mut self, line: Vec<(&'static str, Field)>) {
        for ((_, column), (_, field)) in self.0.iter_mut().zip(line) {
            column.push(field);
        }
    }

    pub fn finish(self) -> Result<RecordBatch, ArrowError> {
        let columns = self.0.into_iter().map(|(name, column)| (name, column.finish()));
        let (names, arrays): (Vec<arrow_schema::Field>, Vec<ArrayRef>) = columns
            .map(|(name, array)| (without_gaps(name, array.data_type().clone()), array))
            .unzip();
        RecordBatch::try_new(Arc::new(Schema::new(names)), arrays)
    }
}

fn without_gaps(name: &str, kind: DataType) -> arrow_schema::Field {
    arrow_schema::Field::new(name, kind, false)
}

/// The numbers of a line are less than 2^63.
fn integer(number: u64) -> i64 {
    i64::try_from(number).expect("the numbers of a line are less than 2^63")
}

impl Column {
    /// A column for such fields.
    fn of(field: &Field) -> Self {
        match field {
            Field::Integer(_) | Field::Signed(_) => Self::Integers(Int64Builder::new()),
            Field::Text(_) => Self::Texts(StringBuilder::new()),
            Field::List(_) => {
                let element = without_gaps("item", DataType::Int64);
                Self::Lists(ListBuilder::new(Int64Builder::new()).with_field(element))
            }
        }
    }

    fn push(&mut self, field: Field) {
        match (self, field) {
            (Self::Integers(column), Field::Integer(number)) => {
                column.append_value(integer(number));
            }
            (Self::Integers(column), Field::Signed(number)) => column.append_value(number),
            (Self::Texts(column), Field::Text(text)) => column.append_value(text),
            (Self::Lists(column), Field::List(list)) => {
                column.values().extend(list.into_iter().map(|number| Some(integer(number))));
                column.append(true);
            }
            _ => unreachable!("all lines have the same columns"),
        }
    }

    fn finish(self) -> ArrayRef {
        match self {
            Self::Integers(mut column) => Arc::new(column.finish()),
            Self::Texts(mut column) => Arc::new(column.finish()),
            Self::Lists(mut column) => Arc::new(column.finish()),
        }
    }
}
