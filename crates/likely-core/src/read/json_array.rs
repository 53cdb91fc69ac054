//! A JSON array goes in, JSON Lines come out: one element per line, whatever the chunks.
//!
//! The array is the whole file, or the first value of an object that is an array of objects, as in `{"data": [...]}`.
//! Elements are not parsed here: a broken one becomes a broken line.

use memchr::memchr3;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    /// Nothing but white space has been read.
    Start,
    /// Within an object that may contain the array.
    Wrapper,
    /// After a bracket in this object: it is the array if an object follows.
    Bracket,
    /// Within the array.
    Elements,
    /// After the array.
    After,
}

/// Reads a file that contains an array, chunk by chunk.
#[derive(Debug, Default)]
pub struct JsonArray {
    state: State,
    depth: usize,
    in_string: bool,
    is_escaped: bool,
    is_wrapped: bool,
    /// Whether something of the current element has been read.
    has_element: bool,
    read: usize,
    begun_at: Option<usize>,
}

impl JsonArray {
    /// The number of bytes before the first element; `None` if the array has not begun.
    pub fn begun_at(&self) -> Option<usize> {
        self.begun_at
    }

    /// Whether the end of the array has been read.
    pub fn is_closed(&self) -> bool {
        self.state == State::After
    }

    /// The lines of the next chunk. Only the last one may be incomplete.
    pub fn feed(&mut self, chunk: &[u8]) -> Vec<u8> {
        let mut lines = Vec::with_capacity(chunk.len() + 16);
        let mut at = 0;
        while at < chunk.len() {
            if self.in_string {
                let length = self.string(&chunk[at..], &mut lines);
                (at, self.read) = (at + length, self.read + length);
            } else {
                self.byte(chunk[at], &mut lines);
                (at, self.read) = (at + 1, self.read + 1);
            }
        }
        lines
    }

    /// Reads the rest of a string, as far as it is there. Returns the number of bytes.
    fn string(&mut self, chunk: &[u8], lines: &mut Vec<u8>) -> usize {
        let mut written = |bytes: &[u8]| {
            if self.state == State::Elements {
                lines.extend_from_slice(bytes);
            }
        };
        if std::mem::take(&mut self.is_escaped) {
            written(if chunk[0] == b'\n' { b" " } else { &chunk[..1] });
            return 1;
        }
        let Some(end) = memchr3(b'"', b'\\', b'\n', chunk) else {
            written(chunk);
            return chunk.len();
        };
        written(&chunk[..end]);
        // A line end within a string is not JSON, but it must not end the line.
        written(if chunk[end] == b'\n' { b" " } else { &chunk[end..=end] });
        self.is_escaped = chunk[end] == b'\\';
        self.in_string = chunk[end] != b'"';
        end + 1
    }

    fn byte(&mut self, byte: u8, lines: &mut Vec<u8>) {
        match self.state {
            State::Start => self.start(byte),
            State::Wrapper => self.wrapper(byte),
            State::Bracket if byte.is_ascii_whitespace() => {}
            State::Bracket if byte == b'{' => {
                self.begin(true);
                self.element(byte, lines);
            }
            State::Bracket => {
                self.state = State::Wrapper;
                self.wrapper(byte);
            }
            State::Elements => self.element(byte, lines),
            State::After if self.is_wrapped || (!self.has_element && byte.is_ascii_whitespace()) => {}
            // What follows the array is not JSON: it becomes a line that is not an object.
            State::After => {
                self.has_element = true;
                lines.push(if byte == b'\n' { b' ' } else { byte });
            }
        }
    }

    fn start(&mut self, byte: u8) {
        match byte {
            b'[' => self.begin(false),
            b'{' => (self.state, self.depth) = (State::Wrapper, 1),
            _ => {}
        }
    }

    fn begin(&mut self, is_wrapped: bool) {
        self.begun_at = Some(self.read);
        self.is_wrapped = is_wrapped;
        (self.state, self.depth) = (State::Elements, 0);
    }

    fn wrapper(&mut self, byte: u8) {
        match byte {
            b'"' => self.in_string = true,
            b'[' if self.depth == 1 => (self.state, self.depth) = (State::Bracket, 2),
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }

    fn element(&mut self, byte: u8, lines: &mut Vec<u8>) {
        match byte {
            b',' if self.depth == 0 => {
                // Between two commas is an element that is missing.
                lines.extend_from_slice(if self.has_element { b"\n" } else { b"null\n" });
                self.has_element = false;
                return;
            }
            b']' if self.depth == 0 => {
                if self.has_element {
                    lines.push(b'\n');
                }
                (self.state, self.has_element) = (State::After, false);
                return;
            }
            _ if byte.is_ascii_whitespace() => {
                if self.has_element {
                    lines.push(b' ');
                }
                return;
            }
            b'"' => self.in_string = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self.has_element = true;
        lines.push(byte);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(file: &str) -> String {
        let whole = JsonArray::default().feed(file.as_bytes());
        // The chunks make no difference.
        for size in [1, 2, 3, 7] {
            let mut array = JsonArray::default();
            let pieces: Vec<u8> = file.as_bytes().chunks(size).flat_map(|chunk| array.feed(chunk)).collect();
            assert_eq!(pieces, whole);
        }
        String::from_utf8(whole).expect("only ASCII is cut")
    }

    #[test]
    fn elements_become_lines() {
        assert_eq!(
            lines(" [{\"a\": 1},\n {\"b\": [1, {\"c\": \"],[\\\"}\"}]}]\n"),
            "{\"a\": 1}\n{\"b\": [1, {\"c\": \"],[\\\"}\"}]}\n"
        );
        assert_eq!(lines("[\n {\n  \"a\": \"x\ny\"\n }\n]"), "{   \"a\": \"x y\"  } \n");
        assert_eq!(lines("[]"), "");
    }

    #[test]
    fn the_first_array_of_objects_in_an_object() {
        let file = "{\"n\": [1, [{\"no\": 1}]], \"o\": {\"p\": [{\"no\": 2}]}, \"s\": \"[{\", \"e\": [], \"data\": [ {\"a\": 1}, 2], \"x\": [{\"no\": 3}]}";
        assert_eq!(lines(file), "{\"a\": 1}\n2\n");
        let mut array = JsonArray::default();
        array.feed(b"{\"data\": [{\"a\"");
        assert_eq!((array.begun_at(), array.is_closed()), (Some(10), false));
        assert_eq!(JsonArray::default().feed(b"{\"text\": \"a\"}\n{\"text\": [1]}"), b"");
    }

    #[test]
    fn what_is_broken_becomes_a_broken_line() {
        assert_eq!(lines("[{\"a\": 1},, nul, {\"b\"},]"), "{\"a\": 1}\nnull\nnul\n{\"b\"}\n");
        assert_eq!(lines("[{\"a\": 1}] {\"b\": 2}"), "{\"a\": 1}\n{\"b\": 2}");
        assert_eq!(lines("[{\"a\": 1}, {\"a\": \"x"), "{\"a\": 1}\n{\"a\": \"x");
        assert_eq!(lines("[}]"), "}\n");
    }

    #[test]
    fn an_array_that_is_cut_off_is_not_closed() {
        for (file, is_closed) in
            [("[{}]", true), ("[{}", false), ("[{},", false), ("", false), ("{\"d\": [{}]", true)]
        {
            let mut array = JsonArray::default();
            array.feed(file.as_bytes());
            assert_eq!(array.is_closed(), is_closed, "{file}");
        }
    }
}
