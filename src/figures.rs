//! Numbers, times and sizes as people read them.

/// A number with its thousands separated: `26,761,334,939`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Some of a thing, by its name in the singular: `1 sector`, `1,855 positions`.
pub fn counted(number: u64, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", grouped(number))
}

/// A span of time as people say it: `9.0 s`, `8 min 53 s`.
pub fn duration(seconds: f64) -> String {
    if seconds < 60.0 {
        return format!("{seconds:.1} s");
    }
    let seconds = seconds.round() as u64;
    match seconds / 3600 {
        0 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        hours => format!("{hours} h {:02} min", seconds % 3600 / 60),
    }
}

/// A size in bytes in the binary units of the system's tools.
pub fn size(bytes: u64) -> String {
    indicatif::BinaryBytes(bytes).to_string()
}

/// A part of a whole in full percents: `63`, `<1` for what is next to nothing, `>99` for next to all. Of an
/// empty whole every part is 0.
pub fn percent(part: u64, whole: u64) -> String {
    if part == 0 || whole == 0 {
        return "0".to_owned();
    }
    match (100.0 * part as f64 / whole as f64).round() {
        percent if percent < 1.0 => "<1".to_owned(),
        percent if percent >= 100.0 && part < whole => ">99".to_owned(),
        percent => format!("{percent}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_easy_to_read() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(26_761_334_939), "26,761,334,939");
        assert_eq!(counted(1, "sector"), "1 sector");
        assert_eq!(counted(1855, "position"), "1,855 positions");
        assert_eq!(duration(0.14), "0.1 s");
        assert_eq!(duration(533.4), "8 min 53 s");
        assert_eq!(duration(7260.0), "2 h 01 min");
        assert_eq!(size(698_000_000), "665.66 MiB");
    }

    #[test]
    fn percents_never_hide_what_is_there() {
        let cases = [
            (0, 10, "0"),
            (1, 1000, "<1"),
            (1, 3, "33"),
            (999, 1000, ">99"),
            (1000, 1000, "100"),
            (0, 0, "0"),
        ];
        for (part, whole, text) in cases {
            assert_eq!(percent(part, whole), text);
        }
    }
}
