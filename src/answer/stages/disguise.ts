/** Letters of other scripts that look like Latin ones: only read so in a word that mixes both. */
const lookAlikes: Readonly<Record<string, string>> = Object.fromEntries(
  [..."аaеeоoрpсcуyхxіiјjѕsԁdһhкkмmтtвbнnαaοoρpεeιiκkνvτtυu".matchAll(/(.)(.)/gu)].map(([, from = "", to = ""]) => [from, to]),
);
const digits: Readonly<Record<string, string>> = { "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", $: "s" };
/** Shorter runs of base64 say too little to be an order. */
const encoded = /(?<![\w+/=-])[A-Za-z0-9+/_-]{16,4000}={0,2}(?![\w+/=-])/g;

/**
 * What a text may say below a disguise: look-alike letters, digits for letters, letters set apart by spaces, base64, percent signs, rot13,
 * backwards. Each is another text for the guard's rules; a text without a disguise gives nonsense, which no rule matches.
 */
export function undisguised(text: string): string[] {
  const forms = [
    latin(text),
    plainDigits(text),
    joinedLetters(text),
    ...decoded(text),
    percent(text),
    rot13(text),
    [...text].reverse().join(""),
  ];
  return [...new Set(forms)].filter((form) => form !== text);
}

function latin(text: string): string {
  return text.replace(/[\p{L}\p{M}]+/gu, (word) =>
    /[a-z]/i.test(word) && /\p{sc=Cyrillic}|\p{sc=Greek}/u.test(word)
      ? [...word].map((letter) => lookAlikes[letter.toLowerCase()] ?? letter).join("")
      : word,
  );
}

function plainDigits(text: string): string {
  return text.replace(/[\p{L}\d@$]+/gu, (word) =>
    /[a-z]/i.test(word) && /[\d@$]/.test(word) ? word.replace(/11/g, "ll").replace(/[013457@$]/g, (digit) => digits[digit] ?? digit) : word,
  );
}

/** "I g n o r e  a l l": two spaces part words, as far as there are any. */
function joinedLetters(text: string): string {
  return text.replace(/(?<![\p{L}\p{N}])(?:\p{L}[ .·_-]{1,3}){4,400}\p{L}(?![\p{L}\p{N}])/gu, (run) =>
    run
      .split(/ {2,3}/)
      .map((word) => word.replace(/[ .·_-]/g, ""))
      .join(" "),
  );
}

function decoded(text: string): string[] {
  return [...text.matchAll(encoded)].flatMap(([run]) => {
    const plain = Buffer.from(run, "base64").toString("utf8");
    return /^[\p{L}\p{N}\p{P}\p{S}\s]+$/u.test(plain) && /\p{L}{3}/u.test(plain) ? [plain] : [];
  });
}

function percent(text: string): string {
  if (!/%[0-9a-f]{2}/i.test(text)) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function rot13(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= "Z" ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
}
