// A term goes in; the name of its bucket comes out (crates/likely-core/src/analyze/terms/hashed_terms.rs).

const SEEDS = [0x9e3779b97f4a7c15n, 0xd1b54a32d192ed03n];
const MOST = 0xffffffffffffffffn;
const encoder = new TextEncoder();

/** @type {(number: bigint, bits: bigint) => bigint} */
const rotated = (number, bits) => ((number << bits) | (number >> (64n - bits))) & MOST;

function mix(a, b) {
  const product = (a ^ SEEDS[0]) * (b ^ SEEDS[1]);
  return ((product & MOST) ^ (product >> 64n)) >> 1n;
}

/** The hash of a word or of characters: a number of 63 bits. */
export function hashOfTerm(term) {
  const bytes = encoder.encode(term);
  const padded = new DataView(new ArrayBuffer(Math.ceil(bytes.length / 16) * 16));
  bytes.forEach((byte, at) => padded.setUint8(at, byte));
  let hash = mix(BigInt(bytes.length), 0n);
  for (let at = 0; at < bytes.length; at += 16) {
    const [low, high] = [padded.getBigUint64(at, true), padded.getBigUint64(at + 8, true)];
    hash = mix(hash ^ low, rotated(hash, 32n) ^ high);
  }
  return hash;
}

/**
 * The hash of an n-gram from the hash of the n-gram before its last word and the hash of that word.
 *
 * @param {bigint} parent
 * @param {bigint} last
 */
export function hashOfPhrase(parent, last) {
  return mix(rotated(parent, 17n), last);
}

/** The name of the bucket of a hash: a hexadecimal number of the highest bits. */
export function bucketOf(hash, bits) {
  const number = ((hash << 1n) & MOST) >> BigInt(64 - bits);
  return number.toString(16).padStart(Math.ceil(bits / 4), "0");
}
