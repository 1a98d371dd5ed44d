// Plain words of further languages, for the tables of `value-words.ts` and `opt-out-words.ts`. svc must know "no" and
// "opted out" in each language. Otherwise it would take these words below `Newsletter` for the name of a list.

/** The words of one language, separated by commas. */
interface LanguageWords {
  readonly yes?: string;
  readonly no?: string;
  /** Words for a person who gets mail. They count only under a header about status. */
  readonly subscribed?: string;
  /** Words for a person who opted out. They are only used about mailing. */
  readonly left?: string;
  /** Words for something that ended. In tags and in columns about something else, svc asks about these words. */
  readonly ended?: string;
  /** Words for a person who never signed up. */
  readonly never?: string;
}

const NORTH: readonly LanguageWords[] = [
  // Icelandic, Finnish, Estonian, Latvian, Lithuanian.
  { subscribed: 'áskrifandi, skráður, skráð', left: 'afskráður, afskráð, hætti áskrift', ended: 'hætt, hættur' },
  { subscribed: 'tilattu', ended: 'poistunut', never: 'ei tilattu, ei tilannut' },
  { subscribed: 'tellija, tellitud, liitunud', left: 'tellimus tühistatud', ended: 'lahkunud', never: 'ei tellinud' },
  { subscribed: 'abonējis, abonēts, abonents', left: 'atrakstījies, atteikusies', ended: 'anulēts' },
  {
    subscribed: 'prenumeruoja, prenumeratorius, užsiprenumeravęs',
    left: 'atsisakiusi, išsiregistravo, išregistruotas',
    never: 'neprenumeruoja',
  },
];

const WEST: readonly LanguageWords[] = [
  // Catalan and Galician, Basque, Irish, Welsh, Maltese, Luxembourgish, Afrikaans, Esperanto.
  { subscribed: 'subscrit, subscrita', left: 'desubscrit, desubscrita, dado de baixa, dada de baixa' },
  { subscribed: 'harpidetuta, harpidedun', left: 'harpidetza kendua, baja emanda' },
  { no: 'ní hea', left: 'díshuibscríofa', never: 'gan suibscríobh' },
  { no: 'nac ydw, nac oes', subscribed: 'wedi tanysgrifio', left: 'dad danysgrifio, wedi dad danysgrifio' },
  { subscribed: 'abbonat', left: 'neħħa l-abbonament', never: 'mhux abbonat' },
  { subscribed: 'abonnéiert', left: 'ofgemellt', never: 'net abonnéiert' },
  { subscribed: 'ingeteken', left: 'uitgeteken', never: 'nie ingeteken' },
  { yes: 'jes', subscribed: 'abonita', left: 'malabonita', never: 'ne abonita' },
];

const SOUTHEAST: readonly LanguageWords[] = [
  // Serbian, Croatian and Bosnian in Latin letters, Serbian in Cyrillic, Slovenian, Macedonian, Bulgarian.
  {
    subscribed: 'prijavljen, prijavljena, pretplaćen, pretplaćena, pretplatnik',
    left: 'odjavila se, otkazao pretplatu, otkazala pretplatu',
    ended: 'odjava, otkazano, otkazan, otkazana, ukinuto',
    never: 'nije prijavljen, nije prijavljena, nije pretplaćen',
  },
  {
    no: 'не',
    subscribed: 'пријављен, пријављена, претплаћен, претплаћена, претплатник',
    left: 'одјављен, одјављена, одјавио се, одјавила се, отказао претплату, отказала претплату',
    ended: 'одјава, отказан, отказана, избрисан, уклоњен',
    never: 'није пријављен, није пријављена, није претплаћен',
  },
  { subscribed: 'naročen, naročena', ended: 'odjava, odpovedano, preklicano', never: 'ni naročen, ni prijavljen' },
  {
    subscribed: 'претплатен, претплатена, пријавен, пријавена',
    left: 'отпишан, отпишана, одјавен, одјавена',
    ended: 'откажан, откажана',
    never: 'не е претплатен, не е пријавен',
  },
  {
    subscribed: 'абониран, абонирана, записан',
    left: 'отабониран, отабонирана',
    ended: 'прекратен, отказан',
    never: 'не е абониран, не е записан',
  },
  // Greek, Albanian, Hungarian, Romanian, Czech and Slovak.
  { left: 'κατάργηση εγγραφής, απεγγράφηκε', ended: 'διαγράφηκε', never: 'μη εγγεγραμμένος, δεν έχει εγγραφεί' },
  { subscribed: 'abonuar, i abonuar, e abonuar', left: 'çabonuar, çregjistruar, i çabonuar, i çregjistruar' },
  { never: 'nem feliratkozott, nincs feliratkozva' },
  { subscribed: 'abonată', never: 'neabonat, neabonată, nu este abonat' },
  { subscribed: 'odebírá, odoberá', never: 'neodebírá, neodoberá, nepřihlášen, neprihlásený' },
];

const EAST: readonly LanguageWords[] = [
  // Ukrainian, Belarusian, Turkish, Azerbaijani, Uzbek, Kazakh, Kyrgyz, Tajik, Mongolian, Armenian, Georgian.
  {
    yes: 'так',
    no: 'ні, немає',
    subscribed: 'підписаний, підписана, підписався, підписалася, підписник, підписка активна',
    left: 'відписалася, відписка, відмовився від розсилки, відмовилася від розсилки',
    ended: 'відмова, відмовився, відмовилася, припинено, неактуально',
    never: 'не підписаний, не підписана',
  },
  { yes: 'так', subscribed: 'падпісаны, падпісаная', left: 'адпісаны, адпісаўся, адпісалася', never: 'не падпісаны' },
  { left: 'abonelik iptal, abonelik iptali, aboneliği iptal' },
  { yes: 'bəli', no: 'xeyr, yox', subscribed: 'abunə, abunədir', left: 'abunədən çıxıb, abunəlik ləğv edilib' },
  { no: 'yoʻq, yoq', subscribed: 'obuna, obuna boʻlgan', left: 'obunadan chiqqan, obuna bekor qilingan' },
  { yes: 'иә', no: 'жоқ', subscribed: 'жазылған', left: 'жазылымнан шыққан, жазылудан бас тартты' },
  { yes: 'ооба', no: 'жок', subscribed: 'жазылган', left: 'жазылуудан баш тарткан' },
  { yes: 'ҳа', subscribed: 'обуна', left: 'обуна бекор шуд', ended: 'бекор шуд' },
  { yes: 'тийм', no: 'үгүй', subscribed: 'бүртгүүлсэн', left: 'бүртгэлээ цуцалсан', ended: 'цуцалсан' },
  { yes: 'այո', no: 'ոչ', left: 'ապաբաժանորդագրված, բաժանորդագրությունը չեղարկված', ended: 'չեղարկված' },
  { yes: 'კი, დიახ', no: 'არა', subscribed: 'გამოწერილი', left: 'გამოწერა გაუქმებულია', ended: 'გაუქმებულია' },
];

const ARABIC_LETTERS: readonly LanguageWords[] = [
  // Arabic, Persian, Urdu, Pashto, Kurdish, and Hebrew.
  { no: 'كلا', left: 'تم إلغاء الاشتراك, ملغي الاشتراك', never: 'غير مشترك, غير مشتركة' },
  {
    yes: 'بله, بلی, آری',
    no: 'خیر, نه, نخیر',
    left: 'لغو اشتراک شده, لغو عضویت شده, اشتراک لغو شده, عضویت لغو شده',
    ended: 'لغو شده, لغو شد, لغو, انصراف, انصراف داده, غیرفعال',
    never: 'غیر مشترک, مشترک نیست, عضو نیست',
  },
  { yes: 'ہاں, جی ہاں', no: 'نہیں, جی نہیں', left: 'ان سبسکرائب, سبسکرپشن منسوخ, رکنیت منسوخ', ended: 'منسوخ' },
  { no: 'نه', left: 'ګډون لغوه شوی', ended: 'لغوه شوی' },
  { yes: 'بەڵێ', no: 'نەخێر', left: 'بەشداری هەڵوەشاندنەوە, abonetî betal kir' },
  { left: 'בוטל מנוי, ביטל מנוי, המנוי בוטל', never: 'לא רשום, לא רשומה, לא מנוי' },
];

const SOUTH_ASIA: readonly LanguageWords[] = [
  // Hindi, Marathi, Nepali, Bengali, Punjabi, Gujarati, Odia, Tamil, Telugu, Kannada, Malayalam, Sinhala.
  {
    yes: 'हां, जी हाँ, जी हां, १',
    no: 'नहीं, ना, जी नहीं, ०',
    subscribed: 'सब्सक्राइब, सदस्यता ली',
    left: 'अनसब्सक्राइब, अनसब्सक्राइब किया, सदस्यता रद्द, सदस्यता छोड़ी, सदस्यता त्याग, सदस्यत्व रद्द',
    ended: 'रद्द',
    never: 'सदस्य नहीं, असदस्य',
  },
  { yes: 'होय', no: 'नाही' },
  { no: 'होइन, छैन' },
  { yes: 'হ্যাঁ, হাঁ, ১', no: 'না, নয়, ০', left: 'আনসাবস্ক্রাইব, সাবস্ক্রিপশন বাতিল, সদস্যতা বাতিল', ended: 'বাতিল' },
  { yes: 'ਹਾਂ', no: 'ਨਹੀਂ', left: 'ਗਾਹਕੀ ਰੱਦ, ਅਨਸਬਸਕ੍ਰਾਈਬ', ended: 'ਰੱਦ' },
  { yes: 'હા', no: 'ના, નહીં', left: 'અનસબ્સ્ક્રાઇબ, સબ્સ્ક્રિપ્શન રદ', ended: 'રદ' },
  { yes: 'ହଁ', no: 'ନା, ନାହିଁ', left: 'ସଦସ୍ୟତା ବାତିଲ', ended: 'ବାତିଲ' },
  { yes: 'ஆம்', no: 'இல்லை', left: 'குழுவிலகியவர், சந்தா ரத்து', ended: 'ரத்து' },
  { yes: 'అవును', no: 'కాదు, లేదు', left: 'చందా రద్దు, సభ్యత్వం రద్దు', ended: 'రద్దు' },
  { yes: 'ಹೌದು', no: 'ಇಲ್ಲ', left: 'ಚಂದಾ ರದ್ದು', ended: 'ರದ್ದು' },
  { yes: 'അതെ', no: 'ഇല്ല, അല്ല', left: 'വരിസംഖ്യ റദ്ദാക്കി, അൺസബ്സ്ക്രൈബ്', ended: 'റദ്ദാക്കി' },
  { yes: 'ඔව්', no: 'නැත, නැහැ', left: 'දායකත්වය අවලංගු', ended: 'අවලංගු' },
];

const SOUTHEAST_ASIA: readonly LanguageWords[] = [
  // Thai, Lao, Khmer, Burmese, Vietnamese, Indonesian, Malay, Javanese, Tagalog.
  {
    yes: 'ต้องการ, ยินยอม, อนุญาต',
    no: 'ไม่ใช่, ไม่ต้องการ, ไม่รับ, ไม่ยินยอม, ไม่อนุญาต',
    subscribed: 'สมัครแล้ว, สมัครรับข่าวสาร',
    left: 'ยกเลิกสมาชิก, ยกเลิกการรับข่าวสาร, ยกเลิกรับข่าวสาร, เลิกติดตาม, เลิกรับ',
    ended: 'ยกเลิกแล้ว, ถูกยกเลิก',
    never: 'ไม่ได้สมัคร, ยังไม่สมัคร, ไม่เป็นสมาชิก',
  },
  { yes: 'ແມ່ນ', no: 'ບໍ່, ບໍ່ແມ່ນ', left: 'ຍົກເລີກການສະໝັກ', ended: 'ຍົກເລີກ' },
  { yes: 'បាទ, ចាស', no: 'ទេ', left: 'ឈប់ជាវ', ended: 'បានលុបចោល' },
  { yes: 'ဟုတ်ကဲ့, ဟုတ်', no: 'မဟုတ်, မဟုတ်ပါ, မဟုတ်ဘူး', left: 'စာရင်းမှထွက်' },
  { subscribed: 'đã đăng ký', left: 'huỷ đăng ký, đã huỷ đăng ký', ended: 'đã hủy, đã huỷ', never: 'chưa đăng ký' },
  { subscribed: 'langganan', left: 'berhenti langganan', never: 'tidak berlangganan, belum berlangganan' },
  { subscribed: 'melanggan, dilanggan', left: 'berhenti melanggan, nyahlanggan', never: 'tidak melanggan' },
  { yes: 'inggih', no: 'mboten', left: 'mandheg langganan' },
  { no: 'hindi po', left: 'nag unsubscribe', never: 'hindi naka subscribe, hindi subscribed' },
];

const AFRICA_AND_CHINA: readonly LanguageWords[] = [
  // Swahili, Amharic, Yoruba, Igbo, Zulu, Xhosa, Somali, Hausa.
  { yes: 'ndiyo, ndio', no: 'hapana', subscribed: 'amejiandikisha', left: 'amejiondoa, amejitoa', ended: 'ameacha' },
  { yes: 'አዎ', no: 'አይ, አይደለም', subscribed: 'ተመዝግቧል', left: 'ከምዝገባ ወጥቷል', ended: 'ተሰርዟል' },
  { no: 'bẹẹkọ, rárá', left: 'yọ kuro' },
  { left: 'wepụrụ aha' },
  { yes: 'yebo', left: 'uyekile ukubhalisa' },
  { left: 'urhoxisile' },
  { left: 'iska saaray' },
  { left: 'an cire rajista' },
  // Chinese, Korean, and the digits of Arabic and Persian.
  { left: '取消关注, 取消關注', ended: '已停止', never: '未订阅, 未訂閱, 未关注' },
  { no: '아니, 아뇨, 싫어요', never: '미구독, 비구독' },
  { yes: '١, ۱', no: '٠, ۰' },
];

const LANGUAGES = [
  ...[NORTH, WEST, SOUTHEAST, EAST],
  ...[ARABIC_LETTERS, SOUTH_ASIA, SOUTHEAST_ASIA, AFRICA_AND_CHINA],
].flat();

/** The words of one kind in all these languages, separated by commas. */
export function wordsOfFurtherLanguages(kind: keyof LanguageWords): string {
  return LANGUAGES.flatMap((language) => language[kind] ?? []).join(',');
}

/**
 * Words that mean no in one language and something else in another: `jo` is no in Albanian and yes in Norwegian. Under
 * a header about mail svc asks about such a word.
 */
export const MAYBE_NO_WORDS =
  'jo, la, le, ora, maya, cha, mba, a’a, hayi, hindi, ez, níl, çıktı, nahi, nahin, nahi chahiye, kheir, kheyr, iie, aniyo, oxi, ochi, net, nyet, njet, lo, bu, mai';

/** Matches a letter of a script of which svc knows few words, such as Thai. An unknown word in it may mean no. */
export const RARE_SCRIPT_LETTER =
  /(?![\p{scx=Latin}\p{scx=Cyrillic}\p{scx=Greek}\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Hebrew}\p{scx=Arabic}])\p{L}/u;
