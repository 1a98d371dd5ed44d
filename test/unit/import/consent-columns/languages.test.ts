import { expect, test } from 'vitest';
import { csv, readList } from '../support.ts';
import { readAndPaste } from '../survey/checks/paste-hints.ts';
import { meaningOf, tableOf } from './vocabulary/golden.ts';

/** Languages, with their words for yes, no, a subscribed person, and an unsubscribed person. */
const LANGUAGES = `
German|ja|nein|abonniert|abgemeldet
French|oui|non|abonné/inscrit|désabonné/désinscrit
Spanish|sí|no|suscrito|dado de baja/desuscrito/no suscrito/desinscrito
Portuguese|sim|não|inscrito/assinante|descadastrado/cancelou inscrição/não inscrito
Italian|sì|no|iscritto|disiscritto/cancellato/annullata iscrizione
Dutch|ja|nee|ingeschreven/geabonneerd|uitgeschreven/afgemeld
Polish|tak|nie|zapisany/subskrybowany/zapisana|wypisany/wypisał się/zrezygnował/rezygnacja
Swedish|ja|nej|prenumererar/prenumerant|avregistrerad/avslutad/avanmäld
Danish|ja|nej|tilmeldt|afmeldt/frameldt
Norwegian|ja|nei|påmeldt/abonnerer|avmeldt/utmeldt
Finnish|kyllä|ei|tilaaja/tilattu|peruuttanut/peruttu/poistunut/ei tilattu/ei tilannut
Icelandic|já|nei|áskrifandi/skráður/skráð|afskráður/afskráð/hætt/hætti áskrift/hættur
Estonian|jah|ei|tellija/tellitud/liitunud|loobunud/tellimus tühistatud/lahkunud/ei tellinud
Latvian|jā|nē|abonējis/abonēts/abonents|atteicies/atteikusies/atrakstījies/anulēts
Lithuanian|taip|ne|prenumeruoja/užsiprenumeravęs/prenumeratorius|atsisakė/atsisakęs/atsisakiusi/išregistruotas/išsiregistravo/neprenumeruoja
Czech|ano|ne|odebírá/přihlášen/přihlášený|odhlášen/odhlášený/neodebírá/nepřihlášen
Slovak|áno|nie|odoberá/prihlásený|odhlásený/odhlásená/neodoberá/neprihlásený
Hungarian|igen|nem|feliratkozott|leiratkozott/nem feliratkozott/nincs feliratkozva
Romanian|da|nu|abonat/abonată|dezabonat/dezabonată/neabonat/neabonată/nu este abonat
Slovenian|da|ne|naročen/prijavljen/naročena|odjavljen/odjavljena/odpovedano/preklicano/ni naročen/ni prijavljen
Croatian|da|ne|pretplaćen/pretplaćena/prijavljen|odjavljen/otkazano/otkazao pretplatu
SerbianLat|da|ne|prijavljen/pretplaćen|odjavljen/odjavljena/odjavio se/odjava/odjavila se/otkazala pretplatu/otkazan/otkazana/ukinuto/nije prijavljen/nije prijavljena/nije pretplaćen
SerbianCyr|да|не|пријављен/претплаћен/пријављена|одјављен/одјављена/одјавио се/одјава/одјавила се/отказао претплату/отказала претплату/отказан/отказана/избрисан/уклоњен/није пријављен/није пријављена/није претплаћен
Bosnian|da|ne|pretplaćen|odjavljen
Macedonian|да|не|претплатен/претплатена/пријавен|отпишан/одјавен/одјавена/откажана/отпишана/откажан/не е претплатен/не е пријавен
Bulgarian|да|не|абониран/абонирана/записан|отписан/отписана/отписал се/отабониран/отабонирана/прекратен/отказан/не е абониран/не е записан
Russian|да|нет|подписан/подписка активна|отписан/отписался/отписка
Ukrainian|так|ні|підписаний/підписана/підписався/підписник|відписаний/відписався/відписалася/відписана/не підписаний/відмова/відмовився/відмовилася/припинено/неактуально/відписка/відмовився від розсилки/відмовилася від розсилки/не підписана
Belarusian|так|не|падпісаны/падпісаная|адпісаны/адпісаўся/адпісалася/не падпісаны
Greek|ναι|όχι|εγγεγραμμένος/συνδρομητής|διαγραμμένος/διαγράφηκε/απεγγράφηκε/κατάργηση εγγραφής/μη εγγεγραμμένος/δεν έχει εγγραφεί
Albanian|po|jo|abonuar/i abonuar/regjistruar|çabonuar/i çabonuar/çregjistruar/i çregjistruar
Maltese|iva|le|abbonat|neħħa l-abbonament/mhux abbonat
Catalan|sí|no|subscrit/subscrita|donat de baixa/baixa/desubscrit/desubscrita/dada de baixa
Galician|si|non|subscrito|dado de baixa
Basque|bai|ez|harpidetuta/harpidedun|harpidetza kendua/baja emanda
Irish|tá/sea|ní hea|suibscríofa/síntiúsóir|díshuibscríofa/gan suibscríobh
Welsh|ie/ydw/oes|nac ydw/nac oes|tanysgrifio/wedi tanysgrifio|dad-danysgrifio/wedi dad-danysgrifio/dad danysgrifio/wedi dad danysgrifio
Luxembourgish|jo|nee|abonnéiert|ofgemellt/net abonnéiert
Turkish|evet|hayır|abone|abonelikten çıktı/abonelik iptal/çıktı/abonelik iptali/aboneliği iptal
Azerbaijani|bəli/hə|xeyr/yox|abunə/abunədir|abunədən çıxıb/abunəlik ləğv edilib
Uzbek|ha|yoʻq/yo'q/yoq|obuna/obuna boʻlgan|obunadan chiqqan/obuna bekor qilingan
Kazakh|иә|жоқ|жазылған|жазылымнан шыққан/жазылудан бас тартты
Kyrgyz|ооба|жок|жазылган|жазылуудан баш тарткан
Tajik|ҳа|не|обуна|обуна бекор шуд/бекор шуд
Mongolian|тийм|үгүй|бүртгүүлсэн|бүртгэлээ цуцалсан/цуцалсан
Armenian|այո|ոչ|բաժանորդագրված|ապաբաժանորդագրված/բաժանորդագրությունը չեղարկված/չեղարկված
Georgian|კი/დიახ|არა|გამოწერილი|გამოწერა გაუქმებულია/გაუქმებულია
Hebrew|כן|לא|רשום/מנוי|הוסר/לא רשום/ביטל הרשמה/בוטל מנוי/ביטל מנוי/המנוי בוטל/לא רשומה/לא מנוי
Arabic|نعم|لا|مشترك|غير مشترك/ألغى الاشتراك/إلغاء الاشتراك/تم إلغاء الاشتراك/ملغي الاشتراك/غير مشتركة
Persian|بله/بلی/آری|خیر/نه|مشترک/عضو/فعال|لغو اشتراک/لغو عضویت/غیرفعال/لغو شده/انصراف/لغو اشتراک شده/لغو عضویت شده/اشتراک لغو شده/عضویت لغو شده/لغو شد/لغو/انصراف داده/غیر مشترک/مشترک نیست/عضو نیست
Urdu|ہاں/جی ہاں|نہیں/جی نہیں|سبسکرائب/سبسکرائبڈ|ان سبسکرائب/سبسکرپشن منسوخ/رکنیت منسوخ/منسوخ
Pashto|هو|نه|ګډون کړی|ګډون لغوه شوی/لغوه شوی
KurdishSorani|بەڵێ|نەخێر|بەشدار|بەشداری هەڵوەشاندنەوە
Hindi|हाँ/हां/जी हाँ|नहीं/ना/जी नहीं|सदस्य/सब्सक्राइब/सदस्यता ली|सदस्यता समाप्त/अनसब्सक्राइब/सदस्यता रद्द/अनसब्सक्राइब किया/सदस्यता छोड़ी/रद्द/सदस्य नहीं/असदस्य
Marathi|होय/हो|नाही|सदस्य/सदस्यता घेतली|सदस्यता रद्द/सदस्यत्व रद्द
Nepali|हो/छ|होइन/छैन|सदस्य|सदस्यता रद्द/सदस्यता त्याग
Bengali|হ্যাঁ/হাঁ|না|সাবস্ক্রাইব করা/সদস্য|আনসাবস্ক্রাইব/সাবস্ক্রিপশন বাতিল/সদস্যতা বাতিল/বাতিল
Punjabi|ਹਾਂ|ਨਹੀਂ|ਗਾਹਕ|ਗਾਹਕੀ ਰੱਦ/ਅਨਸਬਸਕ੍ਰਾਈਬ/ਰੱਦ
Gujarati|હા|ના/નહીં|સબ્સ્ક્રાઇબ|અનસબ્સ્ક્રાઇબ/સબ્સ્ક્રિપ્શન રદ/રદ
Odia|ହଁ|ନା|ସଦସ୍ୟ|ସଦସ୍ୟତା ବାତିଲ/ବାତିଲ
Tamil|ஆம்|இல்லை|குழுசேர்ந்தவர்|குழுவிலகியவர்/சந்தா ரத்து/ரத்து
Telugu|అవును|కాదు/లేదు|సభ్యత్వం ఉంది|చందా రద్దు/సభ్యత్వం రద్దు/రద్దు
Kannada|ಹೌದು|ಇಲ್ಲ|ಚಂದಾದಾರ|ಚಂದಾ ರದ್ದು/ರದ್ದು
Malayalam|അതെ|ഇല്ല/അല്ല|വരിക്കാരൻ|വരിസംഖ്യ റദ്ദാക്കി/അൺസബ്സ്ക്രൈബ്/റദ്ദാക്കി
Sinhala|ඔව්|නැත/නැහැ|දායක|දායකත්වය අවලංගු/අවලංගු
Thai|ใช่/ต้องการ/รับ|ไม่/ไม่ใช่/ไม่ต้องการ/ไม่รับ|สมัครแล้ว/สมัครรับข่าวสาร/เป็นสมาชิก|ยกเลิกการสมัคร/ยกเลิก/เลิกติดตาม/ยกเลิกสมาชิก/ยกเลิกแล้ว/ยกเลิกการรับข่าวสาร/เลิกรับ/ถูกยกเลิก/ไม่ได้สมัคร/ยังไม่สมัคร/ไม่เป็นสมาชิก
Lao|ແມ່ນ|ບໍ່/ບໍ່ແມ່ນ|ສະໝັກແລ້ວ|ຍົກເລີກ/ຍົກເລີກການສະໝັກ
Khmer|បាទ/ចាស|ទេ|បានជាវ|ឈប់ជាវ/បានលុបចោល
Burmese|ဟုတ်ကဲ့/ဟုတ်|မဟုတ်/မဟုတ်ပါ|စာရင်းသွင်းပြီး|စာရင်းမှထွက်
Vietnamese|có|không|đã đăng ký|hủy đăng ký/đã hủy đăng ký/huỷ đăng ký/đã hủy/đã huỷ đăng ký/đã huỷ/chưa đăng ký
Indonesian|ya|tidak|berlangganan|berhenti berlangganan/tidak berlangganan/berhenti langganan/belum berlangganan
Malay|ya|tidak|melanggan/dilanggan|berhenti melanggan/nyahlanggan/tidak melanggan
Javanese|inggih/iya|ora/mboten|langganan|mandheg langganan
Tagalog|oo/opo|hindi/hindi po|naka-subscribe/subscribed|hindi naka-subscribe/nag-unsubscribe/nag unsubscribe/hindi naka subscribe/hindi subscribed
Swahili|ndiyo/ndio|hapana/la|amejiandikisha|amejiondoa/ameacha/amejitoa
Amharic|አዎ|አይ/አይደለም|ተመዝግቧል|ከምዝገባ ወጥቷል/ተሰርዟል
Hausa|eh/i/iya|a'a/aʼa|an yi rajista|an cire rajista
Yoruba|bẹẹni/bẹ́ẹ̀ni|bẹẹkọ/rárá|forukọsilẹ|yọ kuro
Igbo|ee|mba|debanyere|wepụrụ aha
Zulu|yebo|cha|ubhalisile|uyekile ukubhalisa
Xhosa|ewe|hayi|ubhalisile|urhoxisile
Somali|haa|maya|diiwaangashan|iska saaray
Afrikaans|ja|nee|ingeteken/geregistreer|uitgeteken/nie ingeteken
Esperanto|jes|ne|abonita|malabonita/ne abonita
Japanese|はい|いいえ|購読中|配信停止/解除/停止中/退会済/解約
ChineseS|是|否/不|已订阅|已退订/未订阅/取消/取消关注/已停止/未关注
ChineseT|是|否/不|已訂閱|已退訂/未訂閱/取消/取消關注
Korean|예/네|아니요/아니오/아니|구독중/구독|구독취소/수신거부/미구독/해지/비구독
`
  .trim()
  .split('\n')
  .map((line) => {
    const [language = '', ...words] = line.split('|');
    const [yes = [], no = [], on = [], left = []] = words.map((list) => list.split('/'));
    return { language, yes, no, on, left };
  });

/** The meaning of each of these cells in a column with this header. They are its only rows. */
function read(header: string, ...cells: readonly string[]): readonly string[] {
  const table = tableOf([header], { rows: cells.map((cell) => [cell]) });
  return cells.map((cell) => meaningOf(table, cell));
}

const LETS_MAIL_IN = ['-', 'agrees', 'subscribed'];

test('the table of this test has more than sixty languages', () => {
  expect(LANGUAGES.length).toBeGreaterThan(60);
});

test.each(LANGUAGES)('does not subscribe a person who answers no in $language (C4, C10)', ({ yes: [yes = ''], no }) => {
  const silent = no.flatMap((word) => {
    const found = { beside: read('Newsletter', yes, word)[1], alone: read('Newsletter', word)[0] };
    const mixed = read('Newsletter', 'yes', word)[1];
    return [found.beside, found.alone, mixed].some((one) => LETS_MAIL_IN.includes(String(one))) ? [[word, found]] : [];
  });
  expect(silent).toEqual([]);
});

test.each(LANGUAGES)(
  'distinguishes yes and no in $language, also in opt-out columns (C4, C10)',
  ({ yes, no: [no = ''] }) => {
    for (const word of yes) {
      const [agreed] = read('Newsletter', word, no);
      const [left, stays] = read('Unsubscribed', word, no);
      expect([word, ['agrees', 'asked', '-'].includes(String(agreed))]).toEqual([word, true]);
      expect([word, LETS_MAIL_IN.includes(String(left)), stays === 'unsubscribed']).toEqual([word, false, false]);
    }
  },
);

test.each(LANGUAGES)(
  'does not subscribe a person with a $language opt-out status (C4, C10)',
  ({ on: [on = ''], left }) => {
    for (const word of left) {
      const status = read('Status', on, word);
      const newsletter = [read('Newsletter', on, word)[1], read('Newsletter', 'yes', word)[1]];
      expect([word, [status[1], ...newsletter].filter((one) => LETS_MAIL_IN.includes(String(one)))]).toEqual([
        word,
        [],
      ]);
    }
  },
);

// Opt-out words that also mean something usual in other columns: low, cancelled, output.
const USUAL_ELSEWHERE = ['baixa', 'peruttu', 'çıktı', 'ยกเลิก', '取消'];

test.each(LANGUAGES)('notices opt-out words in $language in tags, notes and other cells (C10)', ({ left }) => {
  const words = left.filter((word) => !USUAL_ELSEWHERE.includes(word));
  const silent = words.flatMap((word) =>
    ['Tags', 'Notes', 'Shoe'].flatMap((header) =>
      LETS_MAIL_IN.includes(String(read(header, 'blue', word)[1])) ? [`${header}: ${word}`] : [],
    ),
  );
  expect(silent).toEqual([]);
});

test.each(LANGUAGES)('reads an active status in $language as subscribed, or asks (C4)', ({ on, left }) => {
  const [word = ''] = left;
  const wrong = on.filter((one) => !['subscribed', 'asked', 'agrees'].includes(String(read('Status', one, word)[0])));
  expect(wrong).toEqual([]);
});

/** Headers about agreement, with a yes and a no. */
const AGREEING = `
Билтен|да|не
Претплата|да|не
Сагласност|да|не
Pristanak|da|ne
Fréttabréf|já|nei
Samþykki|já|nei
Розсилка|так|ні
Згода|так|ні
خبرنامه|بله|خیر
رضایت|بله|خیر
न्यूज़लेटर|हाँ|नहीं
सहमति|हाँ|नहीं
จดหมายข่าว|ใช่|ไม่
ยินยอม|ใช่|ไม่
নিউজলেটার|হ্যাঁ|না
செய்திமடல்|ஆம்|இல்லை
Razılıq|bəli|xeyr
Хабарнама|иә|жоқ
Տեղեկագիր|այո|ոչ
Съгласие|да|не
Sutikimas|taip|ne
Piekrišana|jā|nē
Nõusolek|jah|ei
Privola|da|ne
Nuusbrief|ja|nee
Jarida|ndiyo|hapana
Persetujuan|ya|tidak
Đồng ý|có|không
`
  .trim()
  .split('\n')
  .map((line) => line.split('|') as [string, string, string]);

test.each(AGREEING)('asks the user about a no, not a yes, in the consent column %s (C10)', (header, yes, no) => {
  expect(read(header, yes, no)).toEqual(['agrees', 'refused']);
});

test.each([
  ['Одјављен', 'да'],
  ['Afskráð', 'já'],
  ['Відписався', 'так'],
  ['لغو اشتراک', 'بله'],
  ['असहमति', 'हाँ'],
  ['ยกเลิกรับข่าวสาร', 'ใช่'],
  ['Nyahlanggan', 'ya'],
])('reads a yes in the opt-out column %s as an opt-out (C10)', (header, yes) => {
  expect(read(header, yes)).toEqual(['unsubscribed']);
});

test.each([
  ['two short words of an unknown language', ['qalo', 'zek'], ['asked', 'asked']],
  ['an unknown word in a rare script', ['ᏙᏯ'], ['asked']],
  ['a Hindi no in Latin letters', ['nahi'], ['asked']],
  ['Persian digits', ['۱', '۰'], ['agrees', 'refused']],
  ['the names of lists', ['Gardening', 'Cooking'], ['-', '-']],
  ['words for how often', ['weekly', 'daily'], ['agrees', 'agrees']],
])('reads %s under Newsletter with the expected meaning: %j (C10)', (_, cells, meanings) => {
  expect(read('Newsletter', ...cells)).toEqual(meanings);
});

test.each([
  'не шаљите мејлове',
  'ne šaljite mejlove',
  'ekki senda tölvupóst',
  'ایمیل نفرستید',
  'ईमेल मत भेजो',
  'ไม่ต้องการรับอีเมล',
  'jangan hantar emel',
  'không muốn nhận email',
  'మెయిల్ పంపవద్దు',
  'не желае имейли',
])('does not subscribe a person with the note %s (C10)', (note) => {
  expect(LETS_MAIL_IN).not.toContain(read('Notes', note)[0]);
});

test('subscribes only people who answered yes, in four alphabets (C1, C4)', async () => {
  const file = (yes: string, no: string) => `Email,Newsletter\nana@x.test,${yes}\nben@x.test,${no}\n`;
  for (const [yes = '', no = ''] of [
    ['да', 'не'],
    ['بله', 'خیر'],
    ['हाँ', 'नहीं'],
    ['ใช่', 'ไม่ใช่'],
  ]) {
    const answers = { defaultStatus: { '*': 'subscribed' }, statusMap: { [`Newsletter:${no}`]: 'skip' } };
    const list = await readList({ 'list.csv': file(yes, no) }, answers);
    expect([no, list.contacts.map(({ email }) => email), list.trouble]).toEqual([no, ['ana@x.test'], []]);
    const asked = await readList({ 'list.csv': file(yes, no) }, { defaultStatus: { '*': 'subscribed' } });
    expect(asked.trouble).toContain('stop unknown_status');
  }
});

const LEFT_HEADERS: readonly (readonly [header: string, yes: string])[] = [
  ['Αποεγγραφή', 'ναι'],
  ['Отзыв согласия', 'да'],
  ['Atsisakė prenumeratos', 'taip'],
  ['Вышел', 'да'],
  ['Tellimusest loobunud', 'jah'],
  ['Atrakstīšanās datums', '2024-03-04'],
  ['Ispisan', 'da'],
  ['Vystúpil', 'áno'],
  ['Ukončeno', 'ano'],
  ['Visszavonva', 'igen'],
  ['Data retragerii', '2024-03-04'],
  ['Data de desligamento', '2024-03-04'],
  ['Spærret', 'ja'],
  ['Opzegdatum', '04-03-2024'],
  ['Abgangsdatum', '2024-03-04'],
  ["Date d'annulation", '04/03/2024'],
];

test.each(LEFT_HEADERS)(
  'signs up no active person with a value in the opt-out column %s (C10)',
  async (header, value) => {
    const files = { 'list.csv': csv(`Email,Status,${header}`, 'a@x.test,active,', `left@x.test,active,${value}`) };
    for (const list of await readAndPaste(files)) {
      const signedUp = list?.contacts.filter(({ status }) => status === undefined).map(({ email }) => email);
      expect(signedUp).toEqual(['a@x.test']);
    }
  },
);

test.each(['Stato', 'Estado', 'Zustand'])(
  'asks about an unknown word when other cells of %s are statuses (C4, C10)',
  async (header) => {
    const rows = ['a@x.test,active,attivo', 'b@x.test,active,iscritto', 'c@x.test,active,dimesso'];
    const { finding, contacts } = await readList({ 'list.csv': csv(`Email,Status,${header}`, ...rows) });
    expect(finding('unknown_status')?.message).toContain('"dimesso" (1)');
    expect(contacts.map(({ email }) => email)).toEqual(['a@x.test', 'b@x.test']);
  },
);

test('asks nothing about states of the USA beside a status (C10)', async () => {
  const rows = ['a@x.test,active,OK', 'b@x.test,active,OK', 'c@x.test,active,TX'];
  expect((await readList({ 'list.csv': csv('Email,Status,State', ...rows) })).trouble).not.toContain(
    'stop unknown_status',
  );
});

test.each(['Denied', 'No', 'false'])('asks about %s in a column about a proof of consent (C10)', async (no) => {
  const rows = ['a@x.test,active,Express', `b@x.test,active,${no}`];
  const { finding, contacts } = await readList({ 'list.csv': csv('Email,Status,Email Permission Status', ...rows) });
  expect(finding('unknown_status')?.message).toContain(`"${no}" (1)`);
  expect(contacts.map(({ email }) => email)).toEqual(['a@x.test']);
});
