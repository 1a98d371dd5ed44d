// Word stems for headers in further languages, compared like those of `header-words.ts`. Vowel signs of Indian scripts
// and Thai are left out. Persian and Urdu words have Arabic letters.

/** Words for a newsletter or its subscription. Text under such a header can name the lists of a sign-up. */
export const NEWSLETTER_STEMS =
  'frettabref askrift билтен претплат рассылк розсилк підписк ^новини$ падпіск хабарнам хабарлам жазылым захиалга ^obuna abunə ' +
  'տեղեկագիր բաժանորդագր სიახლე გამოწერ خبرنامه عضويتخبر نيوزليٹر سبسكر ^نشرة 뉴스레터 ' +
  'न्यूज़लेटर समाचारपत्र समाचारपत्रिका सदस्यता নিউজলেটার সাবস্ক্রিপশন ਨਿਊਜ਼ਲੈਟਰ ન્યૂઝલેટર செய்திமடல் వార్తాలేఖ ಸುದ್ದಿಪತ್ರ വാർത്താക്കുറിപ്പ് ' +
  'จดหมายข่าว ข่าวสาร ຈົດໝາຍຂ່າວ ព្រឹត្តិបត្រ သတင်းလွှာ thutintuc nhantin suratberita buletinberita ^langganan ' +
  'berripaper harpidetz nuachtlitir nuusbrief ^jarida$ ^novosti$ ^vijesti$ obavijesti obavestenja bilteni ^njoftime$';

/** Words for a consent or a permission. */
export const CONSENT_STEMS =
  'samþykk сагласност согласност съгласи пристан(?:ак|ок) pristan(?:ak|ek) ^privol soglasj saglasnost suglasnost згод(?=а$|а\\P{L}|ан|у$|и$) sutikim piekris nousolek pelqim ' +
  'raziliq rozilik келісім макулдук зөвшөөр համաձայն თანხმობ رضايت رضامندي اجازت ' +
  'सहमति अनुमति সম্মতি অনুমতি ਸਹਿਮਤੀ સંમતિ ஒப்புதல் சம்மதம் సమ్మతి ಸಮ್ಮತಿ ಒಪ್ಪಿಗೆ സമ്മതം ' +
  'ยินยอม ຍິນຍອມ យល់ព្រម သဘောတူ ^dongy persetujuan ^setuju ridhaa idhini pahintulot ፈቃድ ስምምነት baimen toiliu caniatad';

/** Words that mean: opted out, or refuses mail. */
export const OPT_OUT_STEMS_BY_LANGUAGE =
  'одјав отпиша(?:н|о) адпіс afskra[ðd] cregjistr cabonuar dissubscri لغو(?:اشتراك|عضويت) انصرافاز असहमति अनसब्सक्राइब सदस्यता(?:रद्द|समाप्त) ' +
  'ยกเลิก(?:การ)?(?:รับ|สมัคร|สมาชิก) ไม่(?:ต้องการ)?รับ ไม่ยินยอม khongnhan (?:tidak|berhenti)(?:ber)?langganan nyahlanggan tidaksetuju ' +
  'abunədən obunadanchiq жазылымнан ապաբաժանորդ আনসাবস্ক্রাইব குழுவிலக незгод ne(?:saglas|suglas|soglas) несаглас несоглас ' +
  // Greek, Russian and its neighbors, Baltic and Slavic languages, Hungarian and Romanian, the others.
  'αποεγγραφ (?<!на)отзывсоглас ^вышел ^вибув ^изтрит ^блокиран atsisak loobu atrakst ^izstaj ^isstoj ^is?pisan[ao]?$ ^izpisan[ao]?$ ^istupi(?:o|la?)$ ^vyst(?:ou|u)pil[aoi]?$ ' +
  '^ukoncen[aeoy]?$ ^datumukonceni$ ^dataodwolania$ visszavon ^data?retrag ^(?:data(?:de|do)?)?desliga(?:do|da|mento)(?:em)?$ ^erosi$ ^spaerret opzeg(?:dat|reden) ^ausscheid ^abgangsdat ^dated?annulation$ ^discontinued$ ^lapsedate$ ^注销 退會';
