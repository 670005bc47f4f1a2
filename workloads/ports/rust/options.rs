//! options.rs: the command-line options.
// SPDX-License-Identifier: MIT

/// Name, minimum, maximum and default of each number; the first is the operand.
const ROWS: [(&str, u64, u64, u64); 8] = [
    ("THREADS", 1, 1024, 1),
    ("hidden", 64, 2048, 64),
    ("blocks", 1, 64, 2),
    ("experts", 1, 64, 8),
    ("top-k", 1, 64, 2),
    ("sequence", 1, 4096, 64),
    ("steps", 1, 1_000_000_000, 0),
    ("seed", 0, i64::MAX as u64, 1),
];

pub struct Options {
    pub task: String,
    values: [u64; ROWS.len()],
}

impl Options {
    /// The value of a number, whose name must be in the table.
    pub fn get(&self, name: &str) -> usize {
        let row = ROWS.iter().position(|row| row.0 == name).expect("a name of the table");
        self.values[row] as usize
    }

    fn set(&mut self, row: usize, text: &str) -> Result<(), String> {
        let (name, low, high, _) = ROWS[row];
        let dashes = if row == 0 { "" } else { "--" };
        match text.parse() {
            Ok(value) if (low..=high).contains(&value) => self.values[row] = value,
            _ => return Err(format!("{dashes}{name}: '{text}' is not a whole number from {low} to {high}")),
        }
        Ok(())
    }

    pub fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Options, String> {
        let task = arguments.next().filter(|task| ["train", "infer", "kernels", "call"].contains(&task.as_str()));
        let task = task.ok_or_else(usage)?;
        let mut options = Options { task, values: ROWS.map(|row| row.3) };
        options.values[6] = if options.task == "train" { 3000 } else { 10000 };
        let mut operands = 0;
        while let Some(argument) = arguments.next() {
            let Some(option) = argument.strip_prefix("--") else {
                operands += 1;
                if operands > 1 {
                    return Err(format!(
                        "'{argument}' is one argument too many: only the number of threads is expected"
                    ));
                }
                options.set(0, &argument)?;
                continue;
            };
            let (name, value) = match option.split_once('=') {
                Some((name, value)) => (name, Some(value.to_string())),
                None => (option, None),
            };
            let row = ROWS.iter().skip(1).position(|row| row.0 == name);
            let row = 1 + row.ok_or_else(|| format!("unknown option '{argument}'; {}", usage()))?;
            let value = value.or_else(|| arguments.next());
            options.set(row, &value.ok_or_else(|| format!("option '{argument}' needs a value"))?)?;
        }
        if options.get("top-k") > options.get("experts") {
            let (k, experts) = (options.get("top-k"), options.get("experts"));
            return Err(format!("--top-k: {k} is more than there are experts ({experts})"));
        }
        Ok(options)
    }
}

fn usage() -> String {
    let names: Vec<String> = ROWS[1..].iter().map(|row| format!("[--{}=N]", row.0)).collect();
    format!("usage: train|infer|kernels|call {} [THREADS]", names.join(" "))
}
