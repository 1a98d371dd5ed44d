/** The lower-case letters beyond ASCII of one language. Languages of one family borrow names from each other. */
interface Alphabet {
  readonly family: string;
  readonly letters: ReadonlySet<string>;
}

const TABLE = `
western: de äöüß | fr àâæçéèêëîïôœùûüÿ | es áéíñóúü | pt áâãàçéêíóôõúü | it àèéìîòóù | nl áéèëïíóöü | sv åäöéü | da æøåéö
western: fi äöåšž | is áðéíóúýþæö | ca àçèéíïòóúü | et äõöüšž
central: pl ąćęłńóśźż | cs áčďéěíňóřšťúůýž | sk áäčďéíĺľňóôŕšťúýž | hu áéíóöőúüű | ro ăâîşţșț | hr čćđšž
turkish: tr çğıi\u0307öşüâîû
baltic: lv āčēģīķļņšūžō | lt ąčęėįšųūž
vietnamese: vi ăâêôơưđ
greek: el αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ
cyrillic: ru абвгдеёжзийклмнопрстуфхцчшщъыьэюя | uk абвгґдеєжзиіїйклмнопрстуфхцчшщьюя
cyrillic: sr абвгдђежзијклљмнњопрстћуфхцчџш | mk абвгдѓежзѕијклљмнњопрстќуфхцчџш
cyrillic: bg абвгдежзийклмнопрстуфхцчшщъьюя | be абвгдеёжзійклмнопрстуўфхцчшыьэюя
hebrew: he אבגדהוזחטיךכלםמןנסעףפץצקרשת
arabic: ar ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىي | fa ءآأؤئابپتثجچحخدذرزژسشصضطظعغفقکكگلمنهويی
`;

const ALPHABETS: readonly Alphabet[] = TABLE.trim()
  .split('\n')
  .flatMap((line) => {
    const [family = '', alphabets = ''] = line.split(': ');
    return alphabets.split(' | ').map((entry) => ({ family, letters: new Set(entry.split(' ')[1]) }));
  });

const FAMILIES: readonly Alphabet[] = [...new Set(ALPHABETS.map(({ family }) => family))].map((family) => ({
  family,
  letters: new Set(ALPHABETS.filter((one) => one.family === family).flatMap(({ letters }) => [...letters])),
}));

// A letter of a related language counts half as much as one of the language itself.
const BORROWED = 0.5;

/**
 * The share, from 0 to 1, of the letters beyond ASCII that belong to one language. Wrong encodings mix the alphabets of
 * several languages: `Muñoz García` becomes `Muńoz García`, with a Polish and a Spanish letter. East Asian and Thai
 * letters count as known, because other checks distinguish their encodings.
 */
export function alphabetShare(text: string): number {
  const letters =
    text
      .normalize('NFC')
      .match(/[^\0-\x7f]/gu)
      ?.filter(isLetterOrMark) ?? [];
  const known = letters.filter((letter) => ASIAN.test(letter)).length;
  const rest = letters.filter((letter) => !ASIAN.test(letter)).map((letter) => letter.toLowerCase());
  const best = ALPHABETS.reduce((most, alphabet) => Math.max(most, accounted(rest, alphabet)), 0);
  return letters.length === 0 ? 1 : (known + best) / letters.length;
}

// Thai and East Asian letters.
const ASIAN = /[\u0e00-\u0e7f\u1100-\u11ff\u3005-\ud7ff\uf900-\ufaff\uff66-\uff9f\u{20000}-\u{3ffff}]/u;

function isLetterOrMark(character: string): boolean {
  return /[\p{L}\p{M}]/u.test(character);
}

function accounted(letters: readonly string[], { family, letters: own }: Alphabet): number {
  const related = FAMILIES.find((one) => one.family === family)?.letters;
  return letters.reduce((sum, letter) => {
    const plain = family === 'vietnamese' ? withoutTone(letter) : letter;
    return sum + (plain === '' || [...plain].every((one) => own.has(one)) ? 1 : related?.has(letter) ? BORROWED : 0);
  }, 0);
}

// Vietnamese vowels carry a tone mark in addition to the mark that makes them separate letters.
function withoutTone(letter: string): string {
  const bare = letter
    .normalize('NFD')
    .replace(/[\u0300\u0301\u0303\u0309\u0323]/g, '')
    .normalize('NFC');
  return /^[aeiouy]?$/.test(bare) ? '' : bare;
}
