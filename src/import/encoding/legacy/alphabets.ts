/**
 * The lower-case letters beyond ASCII of one language, and its family: related languages whose names often occur in the
 * same lists.
 */
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
  letters: new Set(ALPHABETS.filter((alphabet) => alphabet.family === family).flatMap(({ letters }) => [...letters])),
}));

// A letter of a related language counts half as much as a letter of the language itself.
const WEIGHT_OF_RELATED_LETTER = 0.5;

/**
 * How well the letters beyond ASCII fit into a single language, from 0 to 1: the largest share of these letters that
 * belongs to one language. A wrong encoding mixes languages: `Muñoz García` becomes `Muńoz García`, with a Polish and a
 * Spanish letter. East Asian and Thai letters always fit here, because other checks judge them.
 */
export function largestLanguageShare(text: string): number {
  const letters =
    text
      .normalize('NFC')
      .match(/[^\0-\x7f]/gu)
      ?.filter((character) => /[\p{L}\p{M}]/u.test(character)) ?? [];
  const asianCount = letters.filter((letter) => ASIAN.test(letter)).length;
  const otherLetters = letters.filter((letter) => !ASIAN.test(letter)).map((letter) => letter.toLowerCase());
  const best = ALPHABETS.reduce((most, alphabet) => Math.max(most, weightOfLetters(otherLetters, alphabet)), 0);
  return letters.length === 0 ? 1 : (asianCount + best) / letters.length;
}

// Matches Thai and East Asian letters.
const ASIAN = /[\u0e00-\u0e7f\u1100-\u11ff\u3005-\ud7ff\uf900-\ufaff\uff66-\uff9f\u{20000}-\u{3ffff}]/u;

function weightOfLetters(letters: readonly string[], { family, letters: ownLetters }: Alphabet): number {
  const related = FAMILIES.find((other) => other.family === family)?.letters;
  return letters.reduce((sum, letter) => {
    const plain = family === 'vietnamese' ? withoutTone(letter) : letter;
    return (
      sum +
      (plain === '' || [...plain].every((part) => ownLetters.has(part))
        ? 1
        : related?.has(letter)
          ? WEIGHT_OF_RELATED_LETTER
          : 0)
    );
  }, 0);
}

// The letter without its tone mark. A Vietnamese vowel can have a tone mark beside its own mark: `ế` becomes `ê`. Empty
// if only an ASCII vowel remains, as for `á`.
function withoutTone(letter: string): string {
  const bare = letter
    .normalize('NFD')
    .replace(/[\u0300\u0301\u0303\u0309\u0323]/g, '')
    .normalize('NFC');
  return /^[aeiouy]?$/.test(bare) ? '' : bare;
}

/**
 * The most frequent characters in names, places and headers of lists from Japan. The constants below have those of
 * other countries.
 */
const JAPANESE =
  '田山本中村川木井藤野小林高橋佐伊加大松上清水原島石森子美郎一太恵香真由健直和正幸裕市県区町東京都府北西南名氏姓様号年月日の々';
const CHINESE =
  '王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧伟芳娜秀英敏静丽强磊军洋勇艳杰明华国建文平志红玉市省区县路街号京海州江山东西南北姓名邮箱';
const TAIWANESE =
  '王李張劉陳楊趙黃周吳徐孫胡朱高林何郭馬羅梁宋鄭謝韓許蔡蘇葉曾洪邱廖賴志明春美玲英華雅婷俊傑建宏文怡君家豪惠淑芬市縣區鄉鎮路街號臺北中南新東西雄花蓮姓名';
const KOREAN =
  '김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민준연지훈수빈영희철은현아진경미시도군동면리로길특별광역울산대인천름';

const KANA = Array.from({ length: 0xc0 }, (_, position) => String.fromCodePoint(0x3040 + position)).join('');

const FREQUENT: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['euc-jp', new Set(JAPANESE + KANA)],
  ['shift_jis', new Set(JAPANESE + KANA)],
  ['gb18030', new Set(CHINESE)],
  ['big5', new Set(TAIWANESE)],
  ['euc-kr', new Set(KOREAN)],
]);

// A text in the right encoding has at least this share of frequent characters. In names about half of the characters
// are frequent.
const USUAL_SHARE = 0.4;
const MIN_FREQUENCY = 0.3;

/**
 * How frequent the characters of a text are in the country of its encoding, from 0.3 to 1. Always 1 for a single-byte
 * encoding. In a wrong encoding the same bytes are rare characters: 小林 becomes 井斡.
 */
export function characterFrequency(text: string, encoding: string): number {
  const frequent = FREQUENT.get(encoding);
  const characters = text.match(/[\u3005\u3040-\ud7ff\uf900-\ufaff\uff66-\uff9f]/gu) ?? [];
  if (!frequent || characters.length === 0) {
    return 1;
  }
  const frequentCount = characters.filter((character) => frequent.has(character)).length;
  return MIN_FREQUENCY + (1 - MIN_FREQUENCY) * Math.min(1, frequentCount / characters.length / USUAL_SHARE);
}
