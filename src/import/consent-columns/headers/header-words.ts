// Word stems for headers, which are compared without case, accents and blanks. Languages in order: English, German,
// French, Spanish, Italian, Portuguese, Dutch, Polish, Nordic, Finnish, Turkish, Russian and its neighbors, others.

import { AFTER_SPERR, STATUS_HEADER } from '../words/status-headers.ts';
import { containsStem, stemPattern, wordPattern, wordStartPattern } from '../words/word-patterns.ts';

// Words of further languages. Vowel signs of Indian scripts and Thai don't count, because svc removes them like
// accents. Persian and Urdu words have Arabic letters, because `wordsOf` replaces the Persian ones.

/** Words for a newsletter or its subscription. Text under such a header can name the lists of a sign-up. */
const NEWSLETTER_STEMS =
  'frettabref askrift билтен претплат рассылк розсилк підписк ^новини$ падпіск хабарнам хабарлам жазылым захиалга ^obuna abunə ' +
  'տեղեկագիր բաժանորդագր სიახლე გამოწერ خبرنامه عضويتخبر نيوزليٹر سبسكر ^نشرة 뉴스레터 ' +
  'न्यूज़लेटर समाचारपत्र सदस्यता নিউজলেটার সাবস্ক্রিপশন ਨਿਊਜ਼ਲੈਟਰ ન્યૂઝલેટર செய்திமடல் వార్తాలేఖ ಸುದ್ದಿಪತ್ರ വാർത്താക്കുറിപ്പ് ' +
  'จดหมายข่าว ข่าวสาร ຈົດຫມາຍຂ່າວ ព្រឹត្តិបត្រ သတင်းလွှာ thutintuc nhantin suratberita ^langganan ' +
  'berripaper harpidetz nuachtlitir nuusbrief ^jarida$ ^novosti$ ^vijesti$ obavijesti obavestenja ^njoftime$';

/** Words for a consent or a permission. */
const CONSENT_STEMS =
  '^permiso$ permiso(?:s|de|para)*(?:e?mail|correo|marketing|contact|publicid|comunic) ^permesso$ ^permisiune$ ^(?:po|ze)zwolenie$ ^til(?:lad|lat)else$ ^(?:po|s)voleni$ ^povolenie$ ^engedely$ ^leidimas$ ^dozvola$ ^dovoljenje$ samþykk сагласност согласност съгласи пристан(?:ак|ок) pristan(?:ak|ek) ^privol soglasj saglasnost suglasnost згод(?=а$|а\\P{L}|ан|у$|и$) sutikim piekris nousolek pelqim ' +
  'raziliq rozilik келісім макулдук зөвшөөр համաձայն თანხმობ رضايت رضامندي اجازت ' +
  'सहमति अनुमति সম্মতি অনুমতি ਸਹਿਮਤੀ સંમતિ ஒப்புதல் சம்மதம் సమ్మతి ಸಮ್ಮತಿ ಒಪ್ಪಿಗೆ സമ്മതം ' +
  'ยินยอม ຍິນຍອມ យល់ព្រម သဘောတူ ^dongy persetujuan ^setuju ridhaa idhini pahintulot ፈቃድ ስምምነት baimen toiliu caniatad';

/** Words that mean: opted out, or refuses mail. */
const OPT_OUT_STEMS_BY_LANGUAGE =
  'одјав отпиша(?:н|о) адпіс afskra[ðd] cregjistr cabonuar dissubscri لغو(?:اشتراك|عضويت) انصرافاز असहमति अनसब्सक्राइब सदस्यता(?:रद्द|समाप्त) ' +
  'ยกเลิก(?:การ)?(?:รับ|สมัคร|สมาชิก) ไม่(?:ต้องการ)?รับ ไม่ยินยอม khongnhan (?:tidak|berhenti)(?:ber)?langganan nyahlanggan tidaksetuju ' +
  'abunədən obunadanchiq жазылымнан ապաբաժանորդ আনসাবস্ক্রাইব குழுவிலக незгод ne(?:saglas|suglas|soglas) несаглас несоглас ' +
  // Greek, Russian and its neighbors, Baltic and Slavic languages, Hungarian and Romanian, the others.
  'αποεγγραφ (?<!на)отзывсоглас ^вышел ^вибув ^изтрит ^блокиран atsisak loobu atrakst ^izstaj ^isstoj ^is?pisan[ao]?$ ^izpisan[ao]?$ ^istupi(?:o|la?)$ ^vyst(?:ou|u)pil[aoi]?$ ' +
  '^ukoncen[aeoy]?$ ^datumukonceni$ ^dataodwolania$ visszavon ^data?retrag ^(?:data(?:de|do)?)?desliga(?:do|da|mento)(?:em)?$ ^erosi$ ^spaerret opzeg(?:dat|reden) ^ausscheid ^abgangsdat ^dated?annulation$ ^discontinued$ ^注销 退會';

/** Stems that mean: opted out (`unsub`), or must not be mailed (`donotemail`). */
export const OPT_OUT_STEMS = stemPattern(
  OPT_OUT_STEMS_BY_LANGUAGE,
  'unsub opte?d?(?:s|ing)?out opt(?:ed)?off delist(?:ed)? nolongersub leftthelist leftlist leftus offlist (?:why|reason)(?:did|do|are|have|for)(?:you)?(?:leave|leaving|left|unsub) reasonleft leftreason listremoval removalrequest isexcluded',
  'exclu(?:ded?|[se]i?o?n?)from(?!.*(?:greeting|householdname|report|merge|dedup|duplicat|statist|directory|discount|loyalty|tax|ranking|leaderboard|forecast)) exclu(?:de|[se]i?o?n?)list blacklist blocklist denylist donot(?:e?mail|bulk|allow|contact|send|market|disturb)',
  'dont(?:e?mail|contact|send|market) no(?:more)?(?:e?mails?|e?news|newsletters?|marketing|contact)$ noe?mailsplease',
  'revoked withdrawn withdrew objected objection declined never(?:e?mail|contact|send|market|write) stope?mail stop(?:sending|contacting|marketing|communicat|newsl) e?mail(?:ing)?s?stop unmailable (?:^|do)(?:block|exclude|omit|suppress)(?:from)?(?:e?mails?|mailings?|newsletters?|marketing|campaigns?) ^omit$ removal(?:reason|cause) (?:newsletter|marketing|werbe|mailing)s?stopp?(?:ed)?$ ^(?:stop|left|quit)(?:the|our|all)?(?:newsletters?|mailings?|marketing|e?mails?)$ removefrom.*(?:list|mailing|newsletter) ^nothanks$',
  'blockiert geblockt geblokkeerd bloquead[oa] bloccat[oa] blokeret blokkert blockerad zablokow заблок',
  '(?:cancel|annul|anul|iptal|termin|ended|quit).*(?:subscri|suscri|abonn|abone|iscri|inscri|newsl|subskryp|assinatur)',
  '(?:subscri|suscri|abonn|abone|iscri|inscri|newsl|subskryp|assinatur).*(?:cancel|annul|anul|iptal|terminat|ended)',
  'abgemeld abmeld abbestell ausgetragen austrag(?!end|ungs(?!dat)) widerruf widersproch widerspruch gesperrt werbesperre mailsperre',
  'sperrliste sperrvermerk robinson nicht(?:kontaktieren|anschreiben|mailen|senden) keine?(?:werbung|newsletter|mails?)$',
  'desabo desinscri (?:sortie?|retrait|retiree?)(?:dela)?liste opposition ne(?:pas|plus)(?:contacter|envoyer|solliciter) listenoire stoppub',
  '(?:dado|dada|fecha|dar|de)s?(?:de)?baja desuscri dessuscri no(?:contactar|enviar|molestar) listanegra',
  'disiscri non(?:contattare|inviare) listanera cancellatodalla descadastr nao(?:contat|enviar|perturbe)',
  'descinscri uitgeschreven uitschrij afgemeld afmeld opgezegd niet(?:mailen|contacteren|benaderen) zwartelijst',
  'wypisan wyrejestr rezygn nie(?:kontaktowac|wysylac) czarnalista avregistr avanmal avprenum avslutadpren',
  'odjav austrittsdat austrittam discardedat radiele frameld avmeld utmeld kontakt(?:a)?(?:inte|ikke|ej) sparrlist peruut perunut poistun abonelikten',
  'listedencik engellen отпис чернспис черныйсписок непис небеспок відпис odhlas leiratkoz dezabon',
  `werbeverbot brakzgody istemiyor nesouhlas отказ kundigungs?dat(?:um|e)?$ cancell?ation(?:date|at|on)$ dat[ae](?:di|de|da|of)?cancell?a ayrilmatarih (?:consent|permission)(?:expired|ended|lapsed) ^ended(?:at|on|date)?$ (?<!u)npai unjoin onhold refus(?!e(?:coll|bag|bin|disp)) nepasdemarch revoca tackatnej nejtack goneaway resili(?!en) departed ^sperr(?!${AFTER_SPERR}) beendetam gekundigtam geloschtam beeindigd exitdate dateexit (?:marketing|e?mail)suspend sperre$ mahnsperre ביטול הסרה huydangky απεγγρα διαγραφ διαγραμμ 配信停止 解除 退会 オプトアウト 退订 退訂 取消订阅 取消訂閱 配信不要 メール不要 不要配信 拒收 黑名单 수신거부 구독취소 구독해지 إلغاءالاشتراك`,
  '(?:donot|dont)(?:use|solicit|include|add|import|process) (?:should|must|may|can|shall|will)not(?:be)?(?:e?mail|contact|process|market|solicit|receive|send) opt(?:me|us|them)out forgetthis ^(?:to|please)?(?:remove|delete|purge)$ ^removal(?:date)?$ ^leavedate$ nosolicit nobulk nofurthercontact (?:not|nolonger)interested endofconsent ^dateheld$ ^held(?:at|on|date)$ forgetme ^rtbf$ righttoobject restrictionofprocess processingrestrict restrict(?:ed)?processing einschrankungderverarbeitung verarbeitungeingeschrankt limitationdutraitement limitaciondeltratamiento limitazionedeltrattamento (?:e?mails?|marketing|newsletters?)off$ rejectse?mail',
  'losch(?:wunsch|antrag) (?:dsgvo|gdpr|rgpd)loschung kontaktverbot keinkontakt nichtmehr(?:anschreiben|kontaktieren|mailen|senden) (?:werbung|mails?|newsletter)unerwunscht (?:abo|newsletter)(?:beendet|gekundigt) kundigung(?:des)?(?:abo|newsletter) annahmeverweigert unbekanntverzogen nepasmailer ^oppose$ ^exclus?$ rechaza oposicion opposizion rifiut bezwaar opzegging disdetta neesticker uitgeslo[ot] escluso esclusa excluidode escludi(?:da|$) esclud(?:ere|ereda)(?:da|$) ^exclu(?:ir|re)(?:d[eou]|des|$) ausschlie(?:ss|s)en uitsluit(?:en)?(?:van|$) wyklucz(?:yc)?(?:z|$) uteslut(?:en|et)?(?:fran|$) utelukk(?:et)?(?:fra|$) udeluk(?:ket)?(?:fra|$) vyloucit исключит исключен(?:из|$) ^(?:配信)?対象外$ ^排除 (?:邮件|郵件|发送|發送)排除 ^제외(?:여부|대상)?$ (?:발송|메일|수신|명단)제외 ausschluss(?!kriter) ^rechazos?$ ^exclusion$',
  'wypisu?$ sprzeciw wycofan(?:ie|o|a)zgod odmowa?$ odmowazgod wykluczon ^recus(?:a|ou|ado)$ revogad inativadoem rettarih iysret reddett iptaltarih karaliste engelliliste nezasil neposil odmitnut ejutskick vill(?:ej|inte) sparr(?:ad|at|datum|kod|lista)?(?:for|mot|$) reklambeskytt reklamebeskytt krrreserv avbojt ^nix(?:regist|$) reserv[ea]r(?:t|ad|asjon)mot kielto$',
  '^撤回 同意撤回 (?:동의|수신)철회 ^철회 (?:dm|案内|連絡|送付|送信)不要 不(?:接收|接受|订阅|訂閱|同意|发送|發送) القائمةالسوداء ^ingetrokken отозван nekontaktir tiltolist ^tiltott?$ ^blokkeren$ uttradesdat udmeld eropaiva ^erottu erosnut gonderilmesin (?:data|donat|donada)(?:de)?baixa ^baixa$ holddate$ har?meldtseg(?:av|ut) ^hatgekundigt ^saiu(?:em)?$ ^cancelou quitte(?:la|notre)list 停止フラグ 停止日 解約 不可$ 拒否 除外 削除フラグ 屏蔽 拉黑 ブラックリスト 블랙리스트 svartlist[ae] ^sortliste$ mustalista listaneagra feketelista crnalista ci?ernalistina μαυρηλιστα чорнийспис schwarzeliste ngフラグ エラーフラグ 配信エラー 탈퇴 차단 стопли неотправл недоставл жалоб',
);

/** Whole words that mean the same as `OPT_OUT_STEMS`. They are too short to be searched inside other words. */
export const OPT_OUT_WORD =
  /\b(?:dnc|dnd|(?<!(?:souhlas|\p{L}+[aeu]n[ao]?|\p{L}+ace) )dne|dnm|baja|bajas|opt out|leaver|leaving|removed|blocked|banned|unsubs?|churned)\b|^(?:is |has |date |datum )?(?:left|mute|cancell?ed|cancelad[oa]|cancellat[oa]|annule|storniert|quit|stop|stopped|block|excluded?|resigned|resignation|exited|exit|reject|rejected|veto|ausgeschlossen|refus|blocage|austritt|ausgetreten|kundigung|gekundigt)(?: at| on| am| le| date| datum| list)?$/u;

/** Words for an agreement, a subscription or a mailing that ended, was refused or is missing: `Consent denied`. */
export const ENDED_WORDS = wordStartPattern(
  'denied rejected declined missing deactivated switched_off turned_off left(?=_|$) cancell?ed terminated ended(?=_|$) discontinued',
  'abgelehnt ablehnung verweiger fehlt(?=_|$) fehlend erloschen beendet gekundigt deaktiviert ausgesetzt ausgeschaltet gestoppt zuruckgezog entzogen storniert',
  'refuse[es]?s?(?=_|$) refusee retire(?:e|s|es)?(?=_|$) retrait_d[eu]_(?:mon_|son_)?(?:consent|accord) resilie(?!n) annule(?:e|s|es)?(?=_|$) desactive suspendu arret(?:e|ee)?(?=_|$) stoppe manquant interromp',
  'denegad rechazad retirado(?=_|$) retirada_del?_consent revocad cancelad finalizad suspendid desactivad anulad terminad[oa] interrumpid negat[oa](?=_|$) rifiutat ritirat ritiro_del_consenso revocat annullat disattivat sospes terminat[oa] cessat mancante interrott',
  'negad[oa] recusad revogad encerrad desativad suspens[oa](?=_|$) geweigerd ingetrokken gestopt stopgezet stopzett uitgezet opgezegd beeindig geannuleer uitgeschakel ontbreekt vervallen',
  'wycofan cofni odmow odrzucon anulowan wylaczon wstrzyman zakonczon brak(?=_|$)',
  'aterkall nekat(?=_|$) nekad(?=_|$) saknas avbojd avbojt stoppat stoppad avslutad avslutat avsluttet ophort opsagt oppsagt uppsag[dt] avstang afvist avvist avslatt nektet mangler trukket tilbagekald tilbagetr tilbaketr tilbakekal',
  'peruttu peruut evatty puuttuu lopetet hylat kielletty keskeytet paattyn redded ret(?=_|$) geri_al geri_cek iptal kapal durdur',
  'odvolan odmitn odmietn chybi chybaj zrusen ukonc vypnut pozastav zamitn zamietn odbijen opozvan otkazan povucen ukinut prekinut preklic',
  'visszavon(?:ta?|va)(?=_|$) megtagad(?:ta?|va)(?=_|$) leallit lemond elutasit hianyz szunetel retras(?=_|$|a) retrag refuz oprit(?=_|$|a) anulat lipsa(?=_|$) suspendat dezactivat',
  'abgelaufen verlopen(?=_|$) verstreken caducad[oa] caducat(?=_|$) scadut[oa] expirad[oa] expirat(?=_|$) expiree(?=_|$) (?:consentement|accord|abonnement|autorisation|permission|newsletter|infolettre)_(?:nest_)?(?:encore_)?expire(?=$) vencid[oa] wygasl[aoy]?(?=_|$) utgang(?:et|en)(?=_|$) udlobet utlopt vyprsel vyprsal lejart(?=_|$) vanhentun umpeutun suresi_dol(?:du|mus) истекл истек(?=_|$)',
  'retracted rescinded run_out(?=_|$) ausgelaufen verfallen(?=_|$) verjahrt zuruckgenommen revoque(?:e|s|es)?(?=_|$) echue?s?(?=_|$) perime(?:e|s|es)?(?=_|$) caduc(?=_|$) caduque (?:suscripcion|autorizacion|consentimi?ento|autorizacao|subscricao|assinatura)_retirada decadut[oa] estint[oa](?=_|$) extinguid geeindigd opgeheven odwolan uniewaznion przeterminowan wygaszon niewazn skonczyl[aoy]?_sie uplynel просрочен закончил кончил истекш утратил[ао]?_силу недействительн sona_er(?:di|mis) suresi_(?:bit|gec)(?:ti|mis) bit(?:ti|mis)(?=_|$) sonlandi gecersiz upphort gatt_ut lopt_ut tillbakadra forfall(?:en|et|it)(?=_|$) bortfald foraeldet utgatt bortfalt opphort rauennut eraantyn lakannut zanikl propadl uplynul skoncil neplatn ogiltig ugyldig',
  'arrivee?_a_(?:echeance|expiration|terme) afgelopen$ voorbij(?=_|$) vorbei$ zu_ende$ acabad[oa]$ findo$ upphav[td](?=_|$) indrag(?:et|en)(?=_|$) ophaevet opphevet souhlas_odebran suhlas_odobrat loppunut megszunt(?=_|$) veget_ert dol(?:du|mus)(?=_|$) окончен окончил утрачен',
  'отозван отклон отказ отключ останов отмен приостан отсутств прекращ аннулир відклик скасов відхил зупин вимк ανακλ αρνη διακοπ ακυρ απορρι απενεργοπ ditolak dicabut dibatalkan tuhistatud atsaukt',
);
/** Matches words for an end, like `ENDED_WORDS`, in Chinese, Japanese, Korean and Arabic. */
export const ENDED_IN_OTHER_SCRIPTS =
  /撤回|撤销|撤銷|取消|取り消し|取り下げ|拒|关闭|關閉|終了|无效|철회|취소|거절|거부|해제|سحب|رفض|الغا|已(?:到期|[结結]束|[终終]止|作[废廢])(?!日|[时時]|[间間])|(?<![未不没沒])(?:[过過]期|失效|失効|期限切れ|満了|無効)(?!日|[时時]|[间間])|끝(?:남|났)|지남|(?:만료|소멸|실효|종료|무효)(?! ?(?:일|시|되지|안))/u;

/** Words for kinds of mail, such as advertising and news. */
const MAIL_KIND_STEMS =
  'infopost infomails infobrief ^gemeindebrief$ novidades ^novedades$ kampanya(?:lar|bildirim) προσφορ ενημερωσ спецпредлож акциии ^новости offrescommerc ^(?:club|parent|member|group|event)s?emails$ demarchage rundmail rundschreiben serienmail massenmail sammelmail circulaire omzendbrief prospection prospeccion 電子報 ^dm$ ^sub$ announcements?$ mededelingen$ duyurular ^(?:data)?privacy$ ^datenschutz(?:blatt|formular|vereinbarung)?$ ^politicadeprivacidade?$ ^(?:ds|dse|avg|datenschutz\\p{L}*|privacy(?:policy|notice|verklaring)?|(?:politicade)?privacidade?|(?:politiquede)?confidentialite)(?:ok|vorhanden|liegtvor|erteilt|unterschr\\p{L}*|unterzeich\\p{L}*|signed|signee?|firmad[oa]|firmat[oa]|assinad[oa]|aceite|accettat[oa]|getekend|ondertekend|podpisan[ey])$ ^dataprotection(?:consent|ok|accepted)?$ ^dpa?(?:flag|status|ok)$ ^angebote$ angeboteper ^offers$ (?:special|partner|thirdparty)offers$ offresp ofertaspor offerte(?!r) aanbieding publicidad pubblicita propaganda$ reklam(?!a[ctz]|eb) реклам ^(?:[ck]ommunications?|kommunikation|comms)$ communicationpar comunicacion comunicacoes comunicazion solicit(?!ud|ad|ant|or) sollicit ^(?:direct)?marketing(?:diretto)?$ informacjehandl obchodnisdel elektronikileti novinky utskick markedsforing ^e?news$ ^bulletins?$ boletim ^updates$ emailalerts ^alerts$ ^(?:mass|bulk)e?mail$ ^e?maillist$ invio(?:e?mail|newsl) posta?elettronica ^rodo$ ^kvkk$ (?:lawful|legal|processing)basis rechtsgrundlage base(?:legal|juridi) お知らせ 案内 ^dm(?:可否|希望) 推广 广告 광고 마케팅';

/** Units of time in headers that ask how many mails a person wants: `Mails/Monat`, `correos por semana`. */
const TIME_UNITS =
  'day|week|month|year|tag|woche|monat|jahr|jour|semaine|mois|an|dia|semana|mes|ano|giorno|settimana|mese|anno|dag|maand|jaar|dzien|tydzien|tygodniu|miesiac|miesiecznie|tygodniowo|vecka|veckan|manad|manaden|uke|uken|uge|ugen|maned|maneden|viikko|viikossa|kuussa|quarter|fortnight|quartal|trimestre|quinzaine|quincena|trimestr|kwartal|kwartaal|kvartal';
const MAILS_A_TIME = `(?:e?mails|newsletters|mailings|correos|courriels|mejl|epost|maile)(?:per|pro|par|por|al|alla|i|om|na|w)?(?:${TIME_UNITS})$ (?:e?mail|newsletter|posta)(?:per|pro|par|por|al|alla)(?:${TIME_UNITS})$ ^(?:max)?(?:daily|weekly|monthly|quarterly|tagliche|wochentliche|monatliche)(?:e?mails|mailings)$`;

/** Stems that mean: agreed to mail (`optin`), or asked to agree (`consent`). */
export const AGREEMENT_STEMS = stemPattern(
  'opte?d?(?:s|ing)?in(?!f|g) subscri(?!berid|ptionid|bername|beremail) accepts?(?:e?mail)?marketing accepts?(?:news|mail|email|promo|comm) e?mailmarketing',
  '(?:e?mail|marketing|mkt|newsletter)perms?$ marketing(?:e?mails?|optin|allowed|consent|permission|agreed|preference|ok) consent permission gdpr dsgvo rgpd lgpd lopd ^ok$ ^send$ rundbrief infomail',
  '(?:email|marketing|contact)permitted permittedto(?:e?mail|contact) (?:gets|getting)e?mail marketable marketingeligible eligibleformarketing includein(?:mail|newsl|list) addto(?:list|mailing|newsl) reachablebye?mail legaltocontact (?:mail|mailing|werbung|kontakt|newsletter)(?:ist)?(?:erlaubt|gestattet|zulassig) darf(?:angeschrieben|kontaktiert|e?mail|werb|per)',
  'permiteemail recibe(?!d) recebe(?!d) riceve(?!v) ricevi quiereinf mag(?:ge)?mail mozna(?:wys|pis|kont) permissao tillat(?:er|en) farmejl farmail farkontakt (?:kan|ma)(?:sendes|kontaktes|mailes) saa(?:lahettaa|ottaa) (?:posti|postitus|sahkoposti|markkinointi|viesti|kirje)lupa (?:mail|e?post|utskicks)(?:tilladelse|tillatelse|tillstand) zasil(?:at|ani$|anin) можноп получат разреш 接受 许可 許可 허용 동의',
  // Kinds of mail. They are also in CELLS_MAY_NAME_LISTS.
  MAIL_KIND_STEMS,
  NEWSLETTER_STEMS,
  CONSENT_STEMS,
  'newsletter mailinglist ^send(?:me)?(?:updates?|offers?|news|info)$ receive(?!d) ^mkt allow(?:ed|s)?(?:mass)?(?:e?mail|marketing|contact|news|comm) agree(?:d|s|ment)?(?:to|$) ^accept(?:ed|s)?$ ^nl$',
  '(?:can|may|shall|should|could|ok(?:ay)?to)(?:we|i|be)?(?:keep|continue|still)?(?:on|to)?(?:e?mail|contact|send|write|reach) (?:mailing|contact|news)s?ok(?:ay)?$ e?mailable contactable wants?(?:e?mail|news|market|update|offer) (?:e?mail|news|mailing)s?(?:do|would|should)you(?:want|like|wish|prefer)',
  'notification promo(?:s|tion)? e?mailupdates contactby(?:e?mail) ^mailings?$ verteiler pecr casl markkinointi odber абонам ενημερωτ',
  '^(?:is)?(?:sendable|messageable)$ ^(?:an)?(?:mailbar|schreibbar)$ ^versendbar$ e?mails?(?:allowed|enabled|accepted|agreed|ok) signedup signup joinedlist joinour sendme',
  '(?:contact|mail|email|writeto)you hearfromus hearfromyou (?:keep|stay|be|get|kept)intouch (?:keep|kept|stay)(?:me|us|you)?(?:informed|posted|updat|uptodate|intheloop) ^(?:yes)?(?:please)?(?:e?mail|notify|inform|alert)me(?!mb|ss|di|th|as|r|et|nu|al|n) aufdemlaufenden haltenmich michinformieren tenezmoi tenirinform mantenermeinform mantengan?meinform tenetemi tenermi(?:inf|agg) mantenham?meinform opdehoogte informujcie hallmig holdmig holdmeg pidaminut informujteme stayonthe(?:e?mailing)?list onthelist$ ^(?:e?mail|contact)me$ ^notify$ kontakt(?:aufnahme)?(?:erlaubt|erwunscht|gewunscht)',
  '^abo$ abonnier infolettre lettred?info angemeldet anmeldung zustimmung zugestimmt einverstand(?:en|nis) einwillig erlaubnis mochten?(?:sie|du) werbung',
  'e?mail(?:ing)?s?(?:level|volume|intensity)$ frequency howoften cadence haufigkeit wieoft frequence frecuencia frequenza frequentie czestotliwosc frekvens частота 頻度 频率',
  'recipient empfanger destinata ontvanger odbiorc mottagar modtager vastaanott (?:newsletters|mailings)per',
  MAILS_A_TIME,
  '^digest$ e?maildigest e?maildelivery ^(?:e?mail|mailing|newsletter|notification|subscription|marketing|user)?pref(?:erence)?s?$',
  'accord(?!ing) desire toegest hozzajarul ^acord(?:$|mark|gdpr|e?mail|newsl|retras|refuz|anul) يرغب رسائل akzeptier consiento abonne inscri accepte recevoir souhaite autoris suscri recibir desea',
  'boletin autoriz iscri consens[io] acconsent accett assinante assinatura aceit[ao] acept[ao]',
  'ingeschreven inschrij aangemeld toestemming akkoord ontvangen nieuwsbrief',
  'zapisan zgod[ay] subskry otrzymyw otrzymuj prenumer samtyck godkan godkjen tilmeld pameld samtykke nyhedsbrev nyhetsbrev',
  'tilaa suostum uutiskirj abone onay izin ^riza consimt συγκαταθ εγγεγραμ مشترك prejema(?:novic|obvest) werbekennz benaderd bulten izni iletisim подпис согласи согласен pidpys prihlas souhlas feliratkoz',
  'pretplat bilten naujienlaisk ^jaunumi ^novice$ suhlas uudiskir бюлетин ^postlist butlleti buletin cylchlythyr gemeindebriefpermail hirlevel abonat 同意 購読 メルマガ オプトイン 配信(?!状態) 受信 订阅 訂閱 接收 수신 구독 αποδοχ συναινεσ εγγραφ дозв',
  'דיוור ניוזלטר תפוצה הסכמה اشتراك موافق نشره dangky bantin berlangganan รับข่าว',
);

/**
 * Matches a header about a sign-up. Of its cells, only yes, no and status words count. Other text names the lists that
 * the person wants.
 */
export const CELLS_MAY_NAME_LISTS = new RegExp(
  `${stemPattern(MAIL_KIND_STEMS, NEWSLETTER_STEMS, MAILS_A_TIME).source}|newsletter|bilten|naujienlaisk|jaunumi|^novice$|uudiskir|бюлетин|butlleti|buletin|cylchlythyr|gemeindebrief|subscription|mailinglist|recipient|empfanger|destinata|ontvanger|odbiorc|mottagar|modtager|vastaanott|получател|mailingsper|permissions|consensi|einwilligungen|zgody$|boletin|suscripcion|abonnement|assinatura|signup|anmeldung|nieuwsbrief|notification|promo|updates|frequen|frecuen|howoften|cadence|haufigkeit|wieoft|czestotliw|frekvens|digest|delivery|pref|^nl$|^mailings?$|^subscribers?$|verteiler|odber|hirlevel|bulten|uutiskirj|nyh[ed]+t?sbrev|メルマガ`,
  'u',
);

/** Stems that mean: the address was confirmed. */
export const CONFIRMATION_STEMS = stemPattern(
  'confirm ^activated(?:at|on|date)?$ activationdate aktiviert(?:am)?$ doubleoptin doubleopt$ ^doi$ validatedoptin bestatig conferma bevestig potwierdz bekraft bekreft',
  'bekraeft vahvist onayl подтвержд potvrz potvrd megerosit 確認済 확인됨',
);

export const BOUNCED_WORDS = stemPattern(
  'bounc(?!y|ers?$) undelivered rucklauf rebond(?!ing) rebot(?!t|ic|an) mailreturned returnedmail returntosender',
  'rimbalz devolvid odbi[tcj] studs(?:ad|ar|n) palautunut (?:hard|soft)bounce バウンス 退信 반송',
);

export const COMPLAINED_WORDS = stemPattern(
  'feedbackloop ^fbl complain spam(?:complaint|report|med|trap)? abuse(?:report)? (?<!d)junk(?!er|ie|yard) beschwerde plaint(?!iff) plaignant queja reclamacao klacht skarga',
);

export const SUPPRESSED_WORDS = stemPattern('suppress quarant(?:in|an|ain|en) cuarenten kwarant karant 隔離');

/** Stems that mean: the address is not confirmed yet. The opposite of `CONFIRMATION_STEMS`. */
export const UNCONFIRMED_STEMS = stemPattern(
  'unconfirm notconfirm (?:optin|confirmation|subscription)pending pending(?:optin|confirmation|subscription) awaitingconfirm unbestatigt nichtbestatigt nonconfirm nonconferma sinconfirmar naoconfirm nietbevestigd niepotwierdz',
);

/** Headers about how a person wants to be reached. The cells name channels, such as `Email` and `SMS`. */
export const CHANNEL_HEADER = stemPattern(
  '^channels?$ ^(?:mailpreference|correspondencepreferences?)$ (?:communication|contact|mailing|channel)s?(?:pref|method|channel|mode|type$|via$|by$) prefer(?:red|s)(?:contact|communication|channel|method) contactvia (?:receive|get|send|want)\\p{L}*(?:by|via)$ (?:newsletters?|news|mailings?|magazine|zeitschrift|bulletin)(?:by|via|par|por)$ kontakt(?:art|weg|kanal|wunsch) how(?:may|can|should)we(?:contact|reach) howto(?:contact|reach) bestwayto(?:contact|reach)',
  '(?:prefer|bevorzugt|gewunsch|wunsch|onskad|onsket|foretruk|voorkeur|toivot|предпочит|желаем|προτιμ)\\p{L}*(?:contact|contatt|contato|kontakt|kanal|canal|kanaal|communicat|kommunikat|yhteyd|связи|канал|επικοινων) (?:contact|contatt|contato|kontakt|kanal|canal|kanaal|yhteyden|επικοινων)\\p{L}*(?:prefer|praferenz|vorzug|voorkeur|toive)',
  'kommunikations(?:weg|kanal|art) ^(?:werbe|reklam|reclame)(?:kanal|kanale|kanaal|weg|wege)$ kontakts(?:att|mad|mate) yhteydenottotapa способсвязи каналсвязи (?:連絡|联系|聯絡)(?:方法|手段|方式) 연락(?:방법|수단) iletisim(?:kanal|yol|tercih|sekl) tercihedileniletisim zpusobkontakt sposobkontakt kapcsolattartasmod moddecontact τροποςεπικοινων',
  'modedecontact moyendecontact canaldecontact formadecontacto mediodecontacto modalitadicontatto formakontaktu',
);

/** Words for free text about a person. */
export const NOTE_WORDS = wordPattern(
  'notes? bem anm obs opm huom notiz(?:en)? bemerkung(?:en)? anmerkung(?:en)? kommentare? comments? remarks? memo hinweise? remarques? commentaires? observaciones observacion observacoes observacao observations? notas? nota annotazioni osservazioni commenti opmerking(?:en)? notities? anotacoes uwagi notatki komentarz(?:e)?',
  'anteckning(?:ar)? bemaerkning(?:er)? merknad(?:er)? huomautus huomautukset poznamk[ay] megjegyzes observatii aciklama notlar комментари(?:й|и) примечани[ея] заметки примітки σχολια σημειωσεις 備考 メモ 备注 備註 메모 비고 ملاحظات הערות info internal description history historie historial historique storico verlauf log feedback details extra misc other sonstiges divers varios altro reasons? grund motif motivo razon raison reden powod причина 理由',
);

/** Matches cells that say how often a person wants mail, or what kind. Each is a yes. */
export const FREQUENCY_WORDS =
  /dail|week|month|quarter|year|fortnight|wochentlich|monatlich|taglich|jahrlich|hebdo|mensuel|quotid|semanal|mensual|mensal|diari|settiman|mensil|giornal|wekelijks|maandel|dagel|tygodn|miesie|vecko|manad|maned|ugent|digest|single|each|every|immediate|instant|important|always|news|offers|updates|html|(?:^| )(?:all|both|any|full|text|plain)(?: |$)/u;

const TAGS =
  'tags? keywords schlagwort(?:e|er)? stichwort(?:e|er)? etiketten mots_cles palabras_clave parole_chiave palavras_chave trefwoorden nyckelord nokkelord avainsanat slowa_kluczowe klicova_slova kulcsszavak cuvinte_cheie теги ключевые_слова 标签 標籤 タグ 태그';
/** Headers of the tags of a person. A blank there only means that the person has no tags. */
export const TAG_WORDS = wordPattern(TAGS);
/** Headers of the lists and groups of a person. */
export const GROUP_WORDS = wordPattern(
  TAGS,
  'labels? segments? lists? groups? audiences? categor(?:y|ies?|ias?) [ck]ategori(?:en?|er|a|i|at?|ja)? κατηγορια категори[яи] 分类 分類 カテゴリー? 카테고리 gruppen? listen? etiquetas? etiquettes? groupes? grupos? listas? gruppi liste? segmentos? segmenti groepen lijsten tagi grupy listy taggar tagg tagger merkelapper tunnisteet stitky cimkek etichete etichette etiketler marcadores oznake мітки метки ετικετες',
);

/** Words for a record that is no longer used. It is not clear whether the person opted out. */
export const UNUSED_RECORD_WORDS = wordPattern(
  'disable(?=$) (?:mise_)?en_sommeil snoozed? paused? pausiert e?_?mail_hold lost_contact contact_lost rip(?=$) account_closed closed_account erasure gdpr_requests? dsgvo_anfragen? data_requests? privacy_requests? dsar muted dead lapsed void suspended suspendu suspendido sospeso suspenso zawieszony disabled(?!_(?:person|people|access|parking|toilet|badge|visitor|facilit|child|adult|seat|adapt|ticket|guest|friend|bay|card|holder|space)) deactivated is(?:deleted|archived|inactive) deleted archived archiviert archivad[oa] archiviat[oa] gearchiveerd zarchiwizowan[yoa]? arkivera[dt] arkiver[te]t? arquivad[oa] archivovan[oy] inactive inaktiv inactief inactivo inactiva inattivo inativo inactif nieaktywny nieaktywna neaktivni neaktivny inactiv pasif lo(?:e|sch)?_?kz loevm lvorm losch_?kennz(?:eichen)? loschvormerkung loschvermerk loschflag zu_loschen loschdatum deletion_(?:flag|indicator|mark) delete_(?:flag|indicator|mark) (?:marked|flagged|flag|mark)_for_(?:deletion|removal) para_eliminar te_verwijderen verwijderdatum ska_tas_bort (?:fecha_de|data_di)_elimina(?:cion|zione) data_usuniecia poistopaiva datum_smazani torles_datuma silinme_tarihi data_stergerii дата_удаления 删除(?:时间|日期) 刪除(?:時間|日期) cessato cessata vefat dod(?=$) dod_dato doddato avlidendatum avlidesdatum dodsdag invalid trashed erased (?:pseud|an)onymi[sz]ed (?:pseud|an)onymi[sz]ation(?=_date) (?:pseud|an)onymisiert (?:pseud|an)onymisierung anonymisee?s? anonymiser(?:ad|et|t)? anonymisering geanonimiseerd anonimizad[oa] anonimizacion anonimizzat[oa] anonimizzazione anonimizacao zanonimizowan[yoae]? anonimizacji anonymizovan[yoa]? anonymizace anonymisoitu anonimizovan[oa]? anonimizirano анонимизирован[оаы]? анонимизации обезличен[оаы]? sleeping(?=$) dormant asleep schlafend deceased verstorben decede fallecido date_of_death death_date died(?:_on)? todesdatum sterbedatum date_de_deces fecha_de_(?:defuncion|fallecimiento) data_(?:di_morte|decesso) overlijdensdatum data_zgonu dodsdat(?:um|o) geloscht deaktiviert supprime desactive eliminado verwijderd usuniet[ya] удален',
);

/** Matches headers about a record in use. svc asks about a no. A yes does not sign the person up. */
export const ACTIVE_HEADER =
  /^(?:is ?|e ?mail ?(?:is )?|mail |account )?(?:active|enabled|valid|deliverable|reachable|aktiv|actif|activo|attivo|ativo|actief|aktywny|aktivni|активен|gultig|valide|valido|zustellbar|erreichbar|joignable|raggiungibile|localizable|alcanzable|alcancavel|bereikbaar|osiagalny|geldig|wazny|giltig|gyldig|kelvollinen|aktiivinen|aktif)$|^(?:is )?(?:permitted|allowed|wanted|willing|kept|retain(?:ed)?)$|^(?:is |still )?(?:interested|interessiert|interessee?|interesad[oa]|interessad[oa]|interessat[oa]|geinteresseerd|zainteresowan[ya]|intresserad|interesseret|interessert|kiinnostunut|erdeklodik|interesat)$|^(?:contact|kontakt|contacto|contatto|contato|yhteydenotto) (?:is )?(?:allowed|permitted|authori[sz]ed|wanted|welcome|possible|erlaubt|gestattet|zulassig|erwunscht|gewunscht|moglich|autorise|permis|souhaite|permitido|autorizado|deseado|permesso|autorizzato|consentito|toegestaan|gewenst|dozwolony|tillaten|tilladt|tillatt|sallittu)$|^(?:on|in) (?:the )?(?:mailing ?)?list$|^(?:有効|有效|유효)$|^(?:is |e ?mail (?:is )?|(?:e ?mail )?address (?:is )?)verified$|^verified (?:e ?mail(?: address)?|address)$|^(?:e ?mail )?(?:deliverability|zustellbarkeit|hygiene|quality|validity|verification|validation|check)(?: result)?$|^(?:verification|validation) (?:result|outcome)$|^e ?mail (?:availability|reachability)$|^(?:is |still )?(?:alive|living|lebt|lebend|vivant|vivante|elossa|zyje)$|^доступность(?: email| почты)?$|^(?:is |has )?(?:valid|deliverable|working|gultige|valide) e ?mail(?: address|adresse)?$|^(?:e ?mail|e ?post|correo(?: electronico)?|courriel|adresse e ?mail|indirizzo e ?mail|endereco de e ?mail|e ?mail ?adres|adres e ?mail) (?:valid[aeo]|geldig|poprawny|prawidlowy|gyldig|giltig|platny|ervenyes|gecerli)$/u;

/** Matches another channel than email, such as the telephone. */
export const OTHER_CHANNEL_WORDS =
  /\b(?:sms|mms|rcs|phone|phones|mobile|call|calls|calling|telephone|telefon\w*|telemarketing|whats ?app|(?!(?<=^do not )push$)push|fax|text messages?|texting|texts|hasoptedoutoffax|viber|messenger|telegram|anruf\w*|appels?|llamadas?|handy|voice)\b/u;
/** Matches cells of a preferred channel that mean letters or calls. */
export const NO_EMAIL_CHANNEL =
  /(?:^| )(?:courrier|carta|lettera|brev|brevpost|kirje|listem|listownie|poczta|postou|papel|paper|papier|print|printed|hard copy|usps|telefoon|puhelin\w*|phonecall|correo postal|posta ordinaria|(?:postal|direct|snail|paper|physical|us|royal) mail|mail physical)(?= |$)|電話|郵送|ハガキ|电话|短信|信件|전화|우편|문자|телефон|звон|смс|почт(?:а|ои) россии|هاتف|טלפון/u;
const PAPER_MAIL =
  /correo postal|posta ordinaria|(?:postal|direct|snail|paper|physical|us|royal) mail|(?<!e )mail (?:postal|physical|usps|(?:by|per|via) post|par courrier)(?= |$)|почт(?:а|ои) россии/gu;

/** True for words that name email. Words for letters, such as `postal mail`, don't count. */
export function namesEmail(words: string): boolean {
  return EMAIL_CHANNEL.test(words.replace(PAPER_MAIL, ' '));
}

/** Matches paper mail. In some languages the same words also mean email. */
export const PAPER_MAIL_WORDS = /\b(?:postal|post|posta|(?<!news )letters?|direct mail|brief|briefe)\b/u;
/** True for a header, as words, about consent to any channel: `SMS opt-in`, `Do not call`. */
export function namesChannelConsent(words: string): boolean {
  const text = words.replaceAll(' ', '');
  return (
    containsStem(OPT_OUT_STEMS, words) ||
    OPT_OUT_WORD.test(words) ||
    AGREEMENT_STEMS.test(text) ||
    STATUS_HEADER.test(words) ||
    /^do ?not/u.test(words)
  );
}

export const EMAIL_CHANNEL =
  /e ?mail|(?<!\p{L})e ?posta?\b|posta elettronica|sahkoposti|\bmail|correo|courriel|newsletter|メール|邮件|почт/u;

/** Matches a header that names nothing but mail, or a way to reach the person. */
export const MAIL_ONLY_HEADER =
  /^(?:(?:e|mails?|emails?|mailing|mailbar|mailen|posta?|elettronica|correos?|electronico|courriels?|correio|eletronico|sahkoposti(?:lla)?|mejl|почт\p{L}*|メール|邮件|digest|weekly|monthly|daily|envoyer|envoi|enviar|envio|inviare|invio|senden|versenden|verzenden|versturen|wyslij|wysylac|skicka|sende|lahetetaan|zasilat|kuldes|gonder|gonderim|отправлять|by|per|via|par|por|pelo|al|via|uber|mit|channels?|kanal|canal|canale|kanaal|contact|contacts|contacto|contatto|kontakt|flag|sends?|gets?|wants?|use|ok|yes|preferred|electronic|me|us|the|a|d)(?: |$))+$/u;

/** Matches headers about mail that is not a mailing, such as invoices, tickets and answers. */
export const CUSTOMER_MAIL_WORDS =
  /invoice|rechnung|fact[uo]r|fattura|faktur|bill|receipt|beleg|ticket|login|sent|versand|verschickt|envoye|contacted|kontaktiert|repl|answer|antwort|order|paid|payment|zahl|confirm|bestat|remind|mahn|contract|vertrag|statement|password|document/u;

/** Matches headers of links and codes, such as `Unsubscribe link`. Their cells are filled for each person. */
export const LINK_WORDS = /\b(?:link|url|uri|href|token|hash|key|uuid|guid|page)\b/u;

/**
 * Matches headers of forecasts, grades and amounts, such as `Spam score` and `Blocked amount`. They report no event.
 * Dates of a check are included, because they do not show its result.
 */
export const FORECAST_WORDS =
  /\b(?:scores?|scoring|rating|risk|probab\w*|likel\w*|predict\w*|forecast|amounts?|betrag|montant|importe|importo|bedrag|kwota|belopp|belob|(?:check|checked|scan|scanned) (?:at|on|date|time))\b|\b(?:date|last)\b.{0,60}\b(?:check|scan)\b|\bspam ?(?:test|check|filter|folder|assassin)/u;

/** Matches headers of numbers of events, such as `Emails opened`. */
export const EVENT_COUNT_WORDS =
  /\b(?:count|counts|counter|number|num|nb|total|times|rate|score|percent|anzahl|opens|opened|clicks|clicked|sent|delivered|received)\b/u;

/** Matches headers of dates. Short words count only at the end: in `Abonné le`, not in `Accepte le marketing`. */
export const EVENT_DATE_WORDS = new RegExp(
  `${wordPattern('dates? time timestamp datetime since when datum zeit zeitpunkt fecha tarih[a-z]* дата dato pvm day joined last inactive').source}|日|(?:^| )(?:data|at|on|am|le|el|il|em|op|den|ts)$|^data (?!consent|privacy|protection|processing|permission|sharing)`,
  'u',
);

/** Matches headers of the date of a status: `Status changed`. */
export const STATUS_DATE_WORDS =
  /(?:^| )(?:dates?|datum|data|fecha|time|timestamp|datetime|changed?|updated?|modified|since|seit|at|on)(?= |$)/u;

/** Matches headers of the reason, the channel or the source of an event: `Unsubscribe reason`. */
export const EVENT_REASON_WORDS = new RegExp(
  `${wordPattern('reasons? grund motif motivo razon raison reden powod orsak arsag arsak neden sebep причина feedback comments? kommentar campaign source method via title ip location form \\p{L}*text\\p{L}* wording wortlaut formulierung statement disclaimer libelle testo tekst tresc klauzula teksti metni zneni szoveg текст 文言 文本 문구 version referrer other country browser agent quelle origen origine bron').source}|(?:^| )by$`,
  'u',
);

/** Matches headers, without blanks, about an agreement to something else (`Cookies accepted`) or about paying. */
export const OTHER_PURPOSE_WORDS =
  /track|cookie|analytic|photo|foto|image|terms|agb$|cgv$|altersfreigabe|(?:charge|billing|payments?|pledge|donations?|gift|giving|visits?|purchases?|orders?|zahlungs?|zahl|spenden|kauf|bestell|besuchs?|betaal|betalings?|platnosci|zakupow|betalnings|kop)(?:frequen|frekven|frequentie|haufigkeit|cadence|czestotliwosc)|(?:frequence|cadence|frecuencia|frequenza|frequencia|czestotliwosc|haufigkeit)(?:de|del|di|des|da|do|d|der)?(?:paiement|don|achat|visite|commande|pago|compra|donacion|visita|pagamento|acquist|donazion|ordin|platnosc|zakup|zahlung|spende)/u;

/** Words for parts of a postal address. Beside such a column, `State` is a place. */
export const ADDRESS_PART_WORDS = wordPattern(
  'city stadt ort ville ciudad citta cidade plaats miasto town country land pays pais paese kraj zip plz postal postcode postleitzahl street strasse rue county region cap cep',
);

/** Matches usual headers in lists of people that are not about mail. */
export const ORDINARY_WORDS = new RegExp(
  [
    ADDRESS_PART_WORDS.source,
    wordPattern(
      'names? nickname alias middle maiden initials prefix suffix honorific phonetic spouse partner assistant relation anniversary profession occasion office location priority sensitivity mileage billing directory keywords private reminder vorname nachname nom prenom nombre apellidos? nome cognome sobrenome voornaam achternaam naam imie nazwisko salutation anrede title titre gender sex geschlecht genre sexo genero birth[a-z]* geburt[a-z]* naissance age alter company organi[sz]ation org firma unternehmen entreprise societe empresa azienda bedrijf industry branche sector employer job position role department abteilung team manager owner',
      'phone telephone telefon[a-z]* tel mobile handy fax website web url domain language lang locale sprache langue idioma lingua taal province provincia provinz bundesland address adresse direccion indirizzo adres timezone latitude longitude lat lng ip currency wahrung devise source quelle origen origine referrer referer utm campaign medium created updated modified added joined signup since last first start begin begins seen due login visit purchase renewal renews expiry expires expiration hired hire registered registration timestamp time day month year erstellt angelegt geandert aktualisiert eintritt erfasst inscription cree modifie creado modificado creato modificato aangemaakt gewijzigd utworzono skapad oprettet opprettet vytvoreno создан обновлен',
      'orders? spent revenue amount price total ltv score points rating rank qty quantity counts? number anzahl nr nummer ids? uuid guid hash sku products? items? shop store events? course ticket school university degree education plan tier level stripe vat tax marital children hobby hobbies interests? photo avatar image facebook twitter instagram linkedin github skype device browser os platform version colou?r size brand make model vehicle delinquent admin staff method session class grade room seat table meal diet dietary needs allerg[a-z]* shipping payment delivery checked checkin attendance bus shirt batch warehouse hear heard engagement potential',
    ).source,
  ].join('|'),
  'u',
);

/** Matches a word that reverses the meaning: `not subscribed`, `kein Newsletter`. */
export const NEGATION_WORDS =
  /(?:^| )(?:not|non|no|never|nicht|keine?n?|pas|niet|geen|nie|inte|ikke|ej|не|nao|sin|sans|ohne|without|senza|sem|zonder|bez|utan|uden|uten)(?= |$)|未|ない/u;

/** Matches a "no" before a word for mail: `Geen mail`, `Ingen reklam`, `No bulk mailings`. */
export const REFUSED_MAIL_WORDS =
  /(?:^| )(?:no|never|nicht|keine?n?|pas d[e ]?|aucune?|niet|geen|nooit|nie|inte|ikke|ingen|inga|ej|ei|не|без|nao|nessuna?|nenhuma?|ninguna?|sin|sans|ohne|without|senza|sem|zonder|bez|utan|uden|uten)(?: (?!of )\p{L}+)? (?:bulk)?(?:e ?)?(?:mail|mejl|post\b|posti|utskick|udsend|utsend|hirlevel|bulten|novink|рассыл|reklam|reclam|werb|advert|market|markkin|publici[dt]|pubblicit|propagand|newsl|nieuws|nyhet|nyhed|uutis|boletin|correi?o|courriel|рекл|пис[ье]м|einlad|invit|uitnodig|zaprosz|inbjud|zusend|aussend|versand|infos?(?= |$))|(?:^| )pas d ?invit/u;

/** Matches mail about events: `Order cancelled notification`. A word for an end in it is about the event. */
export const EVENT_MAIL_WORDS =
  /notif|alert|remind|benachricht|erinner|recordator|avisos?\b|promemoria|powiadom|bildirim/u;
