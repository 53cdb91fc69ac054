// A word goes in, its stem comes out, as the kernel makes it (crates/likely-core/src/analyze/words/stem.rs).

import { Snowball } from "./snowball.js";

/** The longest word, in characters, that is stemmed. */
const LONGEST = 100;

/** The function from a word to its stem for a language; null if words are not stemmed. */
export function stemmerOf(language) {
  if (language === "none") return null;
  if (!Snowball) throw new Error(`there is no stemmer for ${language} here`);
  const snowball = new Snowball();
  return (word) => {
    if (word.length > LONGEST && Array.from(word).length > LONGEST) return word;
    return snowball.stemWord(known(word, language)) || word;
  };
}

/** A word in the characters that Snowball knows. */
function known(word, language) {
  const straight = word.replaceAll("\u2019", "'");
  if (language === "turkish") return straight.replaceAll("i\u0307", "i");
  // Since August 2026, Snowball takes z' for what l' is.
  if (language === "french" && straight.startsWith("z'") && straight.length > 2) return `l'${straight.slice(2)}`;
  return straight;
}
