import { expect, test } from 'vitest';
import { meaningOf, tableOf } from '../vocabulary/golden.ts';

/** The meaning of a cell below the header, beside usual cells. */
function read(header: string, cell: string, ...others: readonly string[]): string {
  return meaningOf(tableOf([header], { rows: [...others, cell].map((text) => [text]) }), cell);
}

const PHRASES = [
  'no longer here|not at this address|old address|bad address|off list|take off|hates us|in hospice|not my address',
  'unbek. verz.|alte Adresse|nicht mehr hier|im Hospiz|von der Liste nehmen|plus ici|ancienne adresse|hors liste',
  'ya no vive aquí|dirección antigua|não está mais|vecchio indirizzo|non è più qui|oud adres|woont hier niet meer',
  'gammal adress|juz nie pracuje|stará adresa|μην στέλνετε|να διαγραφεί|старый адрес',
  'いらない|旧アドレス|不再接收|請勿寄信|请勿发送|邮箱无效|要求取消|잘못된 주소|email disabled|newsletter deaktiviert',
].flatMap((line) => line.split('|'));

test.each(PHRASES)('asks about the phrase %s in notes and beside names (C10)', (phrase) => {
  const silent = ['Notes', 'Tags', 'Last name', 'Company', 'City'].filter(
    (header) => read(header, phrase, 'Oak', 'Elm', 'Ash') !== 'refused',
  );
  expect(silent).toEqual([]);
  const names = [`Roth (${phrase})`, `Roth - ${phrase}`, `${phrase} 2021`];
  expect(names.filter((name) => read('Last name', name, 'Oak', 'Elm', 'Ash') !== 'refused')).toEqual([]);
});

const NOTES = [
  'gick bort den 3 maj|murió hace dos años|è mancato a marzo|nežije od 2020|本人亡くなりました|2021年に亡くなった|fjernet fra listen',
  'veuillez me retirer|svp me retirer',
  'heimgegangen|entschlafen|verschieden am 3.4.|von uns gegangen|heengegaan|gick bort|gået bort|nukkui pois|murió en mayo',
  'è mancata nel maggio|ci ha lasciati|venuto a mancare|nous a quittés|a murit|świętej pamięci|zesnula|nežije|preminuo',
  'почина|упокоился|πέθανε|rahmetli|vəfat edib|қайтыс болды|wafat|bu farw|توفي|فوت شده|他界|ご永眠|亡くなりました|过世了|별세',
  'è scomparsa|è morto|est morte|hayatını kaybetti|מת|umrel|menehtynyt|poisnukkunut|ушёл из жизни|погиб|преминуо',
  'αποβίωσε|meninggal dunia|từ trần|往生|gik bort|er avgått ved døden|رحمه الله|स्वर्गीय|gestorven|wijlen|pokojni|néhai',
  'mrtvý|mirusis|покојни',
  'wünscht keine Infos|merci de me retirer|meldt seg av|kérem törölni|să fie șters|δεν θέλει άλλα|μην ενοχλείτε|не бажає отримувати',
  'не желае повече|ne želi primati|želi odjavo|nepageidauja|nevēlas saņemt|ei soovi|tidak mau|לא רוצה|ไม่ต้องการ|不想收|원치 않음',
  'indirizzo inesistente|adressen finns inte|posti palautuu|nincs ilyen cím|листи повертаються|退信|地址不存在|주소 없음',
].flatMap((line) => line.split('|'));

test.each(NOTES)('asks about the end %s in notes and tags (C10)', (words) => {
  const notes = [words, `Kundin, ${words}`, `${words} 2021`];
  const silent = notes.filter((note) =>
    ['Notes', 'Tags'].some((header) => read(header, note, 'Oak', 'Elm', '') !== 'refused'),
  );
  expect(silent).toEqual([]);
});

test('reads a clear refusal as an opt-out in notes, and asks elsewhere (C10)', () => {
  const headers = ['Notes', 'Tags', 'Last name', 'Company', 'City'];
  const meanings = headers.map((header) => read(header, 'skal ikke have mail', 'Oak', 'Elm', 'Ash'));
  expect(meanings).toEqual(['unsubscribed', 'unsubscribed', 'refused', 'refused', 'refused']);
});

test.each([
  ...["this is my dad's address", "her mother's email", 'Adresse meiner Mutter', "c'est l'adresse de ma mère"],
  ...['auto-reply: no longer with us', 'Info: unbekannt verzogen', '550', '*', '**', '†'],
  ...['Art. 17', 'GDPR Art. 17', 'Art. 21 DSGVO', 'mail back; old address'],
])('asks about the note %s (C10)', (note) => {
  expect(read('Notes', note, 'likes cats', '')).toBe('refused');
});

test.each(['pls remove', 'plz remove', 'pls unsubscribe', 'Pls. delete me', 'plse stop'])(
  'reads the request %s like one with "please" (C10)',
  (request) => {
    expect(read('Notes', request, 'likes cats', '')).toBe('unsubscribed');
    expect(read('Last name', `Roth (${request})`, 'Oak', 'Elm', 'Ash')).toBe('refused');
  },
);

const MARKS: readonly (readonly [header: string, cell: string])[] = [
  ...['delete', 'remove'].map((cell) => ['City', cell] as const),
  ...['0731 5 verstorben', '0731 5 REMOVE', '+49 731 1234567 deceased', '0731/12345678901 décédé', 'REMOVE 0731 5'].map(
    (cell) => ['Phone', cell] as const,
  ),
  ['Zip', '12345 verstorben'],
];

test.each(MARKS)('asks about a mark in the column %s: %s (C10)', (header, cell) => {
  expect(read(header, cell, '12345', '54321', '0731 5')).toBe('refused');
});

/** Notes and tags with words that look like those for a death, a refusal or mail that came back. */
const OTHER_WORDS = [
  'VIP 특별세일|특별세미나|기타계정|기타계좌|看过世界杯',
  '走过世纪|参加过世博会|自身故事|身故保险|先退信用卡',
  '退信息|吉他界|他界面|한국으로 돌아가셨음|邮箱已满意',
  '財布が亡くなった|亡くなった祖母の知り合い|주소 없음 (전화만)|영수증 원치 않음|hentet fra listen',
  'fra listen fra messen 2022|από τη λίστα του 2019|πήρε το e-mail από τη λίστα|Lieferadresse ist verschieden|Preis ist verschieden je nach Menge',
  'Termine verschieden am Montag|früh heimgegangen|ci ha lasciato una recensione positiva|ci ha lasciato i dati in fiera|il libro e scomparso',
  'nous a quittés après la démo|il nous a quitté à 18h|venir me retirer au stand|gått bort på middag|gick bort på fest',
  'ไม่ต้องการ ใบเสร็จ|เสียแล้ว เปลี่ยนใหม่|חתול מת|על שם יוסף ז״ל|شاه مات',
  'почина на море|добре почина в хотела|Rahmetli Market|rahmetli babasının arkadaşı|libur Wafat Isa Almasih',
  'istri almarhum Budi|posta se vraca kasnije|nežije v Praze|Nehai Kapoor|Dode I.',
  'è mancata la conferma|colis disparu|gift in memoriam of Bob|작고 예쁜 것|verschiedene Interessen',
  'üye oldu|其他界面|ne želi šećer|ei soovi suhkrut|visszajött hozzánk',
  'tidak mau kopi|oldu|scomparso il gatto|morto di fame|מתנה|wijlen straat|погибла розетка|Met op|est morte de rire',
].flatMap((line) => line.split('|'));

test.each(OTHER_WORDS)('does not ask about the note %s (C10)', (note) => {
  expect(['Notes', 'Tags'].map((header) => read(header, note, 'Oak', 'Elm', ''))).toEqual(['-', '-']);
});

const USUAL: readonly (readonly [header: string, cell: string])[] = [
  ...['***', '17', '5500', 'Art. 1234', 'Reason: price', 'Tel: 0731 5', 'Hotel **'].map(
    (cell) => ['Notes', cell] as const,
  ),
  ...['0731 5 ext 3', '0731 5 mobile', '+49 731 123456 (privat)', '555 LEFT WING'].map(
    (cell) => ['Phone', cell] as const,
  ),
  ...['Take Off GmbH', 'Clean Up Ltd', 'Old Address Ltd'].map((cell) => ['Company', cell] as const),
  ...['12345 Deadwood', '1 Remove Street'].map((cell) => ['Address', cell] as const),
  ['Old address', 'Main St 5'],
  ['Old email', 'x@example.com'],
  ['Alte Adresse', 'Hauptstr. 5'],
  ['Last name', 'Plz'],
  ['First name', 'Hilda'],
  ['Last name', 'Umrao'],
  ['Company', 'Murio Books'],
];

test.each(USUAL)('does not ask about a usual cell in the column %s: %s (C10)', (header, cell) => {
  expect(read(header, cell, 'Oak', 'Elm', 'Ash')).toBe('-');
});
