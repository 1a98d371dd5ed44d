/** The most frequent characters of names, places and headers in the lists of a country. */
const JAPANESE =
  '田山本中村川木井藤野小林高橋佐伊加大松上清水原島石森子美郎一太恵香真由健直和正幸裕市県区町東京都府北西南名氏姓様号年月日の々';
const CHINESE =
  '王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧伟芳娜秀英敏静丽强磊军洋勇艳杰明华国建文平志红玉市省区县路街号京海州江山东西南北姓名邮箱';
const TAIWANESE =
  '王李張劉陳楊趙黃周吳徐孫胡朱高林何郭馬羅梁宋鄭謝韓許蔡蘇葉曾洪邱廖賴志明春美玲英華雅婷俊傑建宏文怡君家豪惠淑芬市縣區鄉鎮路街號臺北中南新東西雄花蓮姓名';
const KOREAN =
  '김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민준연지훈수빈영희철은현아진경미시도군동면리로길특별광역울산대인천름';

const KANA = Array.from({ length: 0xc0 }, (_, at) => String.fromCodePoint(0x3040 + at)).join('');

const FREQUENT: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['euc-jp', new Set(JAPANESE + KANA)],
  ['shift_jis', new Set(JAPANESE + KANA)],
  ['gb18030', new Set(CHINESE)],
  ['big5', new Set(TAIWANESE)],
  ['euc-kr', new Set(KOREAN)],
]);

// About every second character of a name is in this set. Text without any is likely in the encoding of another country.
const USUAL_SHARE = 0.4;
const LEAST = 0.3;

/**
 * How usual the characters of a reading are in the country of its encoding, from 0.3 to 1. Single-byte encodings get 1.
 * In the encoding of another country, the same bytes are rare characters: 小林 becomes 井斡.
 */
export function usualness(text: string, encoding: string): number {
  const frequent = FREQUENT.get(encoding);
  const characters = text.match(/[\u3005\u3040-\ud7ff\uf900-\ufaff\uff66-\uff9f]/gu) ?? [];
  if (!frequent || characters.length === 0) {
    return 1;
  }
  const known = characters.filter((character) => frequent.has(character)).length;
  return LEAST + (1 - LEAST) * Math.min(1, known / characters.length / USUAL_SHARE);
}
