const CYRILLIC =
  'а a б b в v г g д d е e ё e ж zh з z и i й i к k л l м m н n о o п p р r с s т t у u ф f х h ц ts ч ch ш sh щ shch ъ _ ы y ь _ э e ю yu я ya і i ї i є e ґ g';
const GREEK = 'α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o';
const LETTERS: ReadonlyMap<string, string> = new Map(pairs(`${CYRILLIC} ${GREEK}`));

/** Cyrillic and Greek text in Latin letters, well enough for a key that people recognise; other scripts are left alone. */
export function romanize(text: string): string {
  return [...text.normalize('NFC').toLowerCase()]
    .map((letter) => LETTERS.get(letter) ?? LETTERS.get(bare(letter)) ?? letter)
    .join('');
}

function bare(letter: string): string {
  return letter.normalize('NFD').replace(/\p{M}+/gu, '');
}

function pairs(table: string): [string, string][] {
  const words = table.split(' ');
  return words.flatMap((word, i): [string, string][] => (i % 2 === 0 ? [[word, letterOf(words[i + 1])]] : []));
}

function letterOf(word: string | undefined): string {
  return word === undefined || word === '_' ? '' : word;
}
