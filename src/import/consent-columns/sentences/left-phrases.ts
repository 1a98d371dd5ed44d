import { withoutTime } from '../cells/days.ts';
import { withoutBlanks } from '../words/plain-words.ts';
import { wordSet } from '../words/value-words.ts';
import { compileWords, wordPattern } from '../words/word-patterns.ts';

// Phrases for a person who is no longer there, whose address is wrong, or who wants no mail. svc asks about them in a
// note, and beside or instead of the name of a person, a company or a town. In order: English, German, French, Spanish
// and Portuguese, Italian, Dutch, Nordic, Polish, Greek, Russian, Chinese, Japanese and Korean.
const PHRASES = [
  'no longer here, not here anymore, not here any more, not here, no longer at this address, not at this address, not at address, no longer at address, not known at this address, unknown at this address, does not live here, doesnt live here, no longer lives here, no longer works there, doesnt work here, doesnt work here anymore, not employed here, has moved on, old address, old email, old email address, bad address, bad addr, invalid address, wrong e mail, not my address, not my email, not his address, not her address, off list, off the list, take off, take off list, off mailing list, hates us, hates email, hates emails, hates spam, do not bother, in hospice, in hospice care, in palliative care, terminally ill, on his deathbed, on her deathbed, mailbox gone, address gone, address dead, email gone, email bad, email invalid, email wrong, email disabled, email deactivated, mail disabled, emails disabled, emails off, mailings off, newsletter disabled, mailing disabled, contact disabled, email suspended, email paused',
  'nicht mehr hier, nicht mehr unter dieser adresse, alte adresse, alte mail, alte e mail, alte mailadresse, adresse veraltet, adresse ungultig, adresse tot, unbek verz, unb verz, unbekannt verz, empf unbek, empfanger unbek, adr unbek, adresse unbek, adr falsch, im hospiz, im sterben, liegt im sterben, mag uns nicht, hasst uns, von liste, runter von liste, von der liste, von der liste nehmen, e mail deaktiviert, mail deaktiviert, newsletter deaktiviert',
  'plus ici, n est plus la, nest plus la, n habite plus ici, n habite pas ici, pas a cette adresse, plus a cette adresse, ancienne adresse, ancien mail, adresse fausse, mauvaise adresse, mauvais mail, en soins palliatifs, en fin de vie, retirer de la liste, hors liste, e mail desactive, email desactive, se desinscrire, desinscrire, desabonner svp, nous deteste',
  'ya no esta, ya no vive aqui, no vive aqui, no es su direccion, direccion antigua, correo antiguo, direccion erronea, direccion incorrecta, correo erroneo, correo invalido, quitar de la lista, fuera de la lista, email desactivado, correo desactivado, nos odia, nao esta mais, ja nao esta, endereco antigo, endereco errado, email antigo, email invalido, email desativado, tirar da lista, remover da lista',
  'non e piu qui, non piu qui, non abita piu qui, non vive piu qui, vecchio indirizzo, vecchia email, indirizzo vecchio, indirizzo sbagliato, email sbagliata, email disattivata, togliere dalla lista, fuori lista, ci odia',
  'niet meer hier, niet op dit adres, woont hier niet, woont hier niet meer, oud adres, oude mail, adres fout, fout adres, verkeerd adres, email uitgeschakeld, van de lijst, van lijst halen, in een hospice',
  'ska inte ha mejl, skall ej ha mejl, ska ej ha utskick, vill ej ha utskick, skal ikke have mail, skal ikke have mails, skal ikke ha mail, skal ikke ha e post, ma ikke fa mail, gammal adress, gammel adresse, fel adress, feil adresse, forkert adresse, bor inte har, bor ikke her, inte kvar, ikke her lenger, ikke her laengere, fran listan, vanha osoite, vaara osoite, ei ole enaa taalla, ei asu taalla',
  'juz tu nie pracuje, juz nie pracuje, nie mieszka tu, stary adres, zly adres, bledny adres, usunac z listy, stara adresa, spatna adresa, chybna adresa, uz tu neni, regi cim, rossz cim',
  'μην στελνετε, μην στειλετε, μη στειλετε, να μη σταλει, να διαγραφει, διαγραψτε, παλια διευθυνση, λαθος διευθυνση, δεν ειναι πια εδω',
  'больше не здесь, здесь не живет, здесь не работает, больше не работает, старыи адрес, неверныи адрес, не тот адрес, не присылать, не слать, просит удалить, удалить из списка',
  '不再接收, 不再接受, 不再订阅, 不再訂閱, 请勿发送, 请勿寄, 请勿寄信, 請勿寄信, 請勿發送, 請勿寄送, 勿寄, 勿发, 勿發, 停止发送, 停止發送, 邮箱无效, 郵箱無效, 信箱无效, 信箱無效, 邮件无效, 地址无效, 地址無效, 邮箱已失效, 邮箱停用, 旧地址, 舊地址, 旧邮箱, 要求取消, 要求退订, 要求退訂, 要求删除, 要求刪除, 已搬走, 查无此人, 查無此人',
  'いらない, 要りません, いりません, 不要です, 送らないで, もういません, ここにいない, 旧アドレス, アドレス無効, アドレス不明, メール無効, 取消希望, 解除希望, 削除希望, 필요없음, 필요 없음, 보내지 마세요, 예전 주소, 잘못된 주소, 주소 오류, 메일 오류',
];

/** The phrases as look-up keys: their letters, without blanks. */
export const LEFT_PHRASES: ReadonlySet<string> = wordSet(PHRASES);
const LONGEST = 40;
// What may follow a word of an end: nothing, a day or a year.
const END =
  '(?=$|_(?:\\d|den_|en_|i_|im_|am_|a_(?!\\d)\\S+(?:_\\d+)?$|hace_|el_|lo_scorso|nel_|il_\\d|le_\\d|w_\\d|od_|на_\\d|през_|forra_|hastigt|plotsligt))';
// Words for a death, in short notes and in tags. Words that often mean something else are missing, such as Turkish
// `oldu`, which is also `became`. `mentionsEnd` knows the most common words.
const DEATHS = wordPattern(
  `entschlafen verschieden_am(?=_\\d) von_uns_gegangen heengegaan ontslapen menehtyi nukkui_pois lahkus_meie_seast dode_i(?=_\\d)`,
  `gick_bort${END} gatt_bort${END} gaa?et_bort${END} gikk_bort${END} murio${END} ha_muerto va_morir${END} plus_de_ce_monde nous_a_quittee?s?${END}`,
  `venut[oa]_a_mancare e_mancat[oa]${END} ci_ha_lasciat[oi](?=$|_(?:\\d|nel|il_\\d)) odeszla${END} swietej_pamieci a_murit raposat(?:a|ul)? nu_mai_e(?:ste)?_printre_noi`,
  `zesnul[ay]? zosnul[ay]? skonal[ay]? nezije${END} nebohy umrla? umro preminila? preminu(?:o|la) mirusi nomira ka_vdekur vdiq`,
  `почина${END} умря упокои(?:ла?|в)с[яь] πεθανε εκοιμηθη қайтыс_болды გარდაიცვალა մահացել bu_farw wedi_marw fuair_bas`,
  `rahmetli(?=$|_(?:oldu|\\d)) rahmetine_kavustu vəfat vafot wafat(?=$|_(?:\\d|pada_|tahun_)) توفي توفيت المرحوم المرحومة فوت_كرد فوت_شده درگذشت הלך_לעולמו הלכה_לעולמה มรณะ स्वर्गवासी स्वर्गवास`,
);
// Texts that mean a death, a refusal or a missing address only if they are the whole clause.
const WHOLE_ENDS = compileWords(
  '^(?:heimgegangen|disparue?|marw|gestorven|wijlen|pokojn[aiy]|покојн[аи]|mrtv[ay]|nehai|mirusis|almarhum(?:ah)?|in memoriam|(?:now |went to be )?with the lord|작고(?:하심)?|(?:\\d+年(?:\\d+月)?(?:\\d+日)?に? ?|ご?本人様?[がは]? ?)?お?亡くな(?:りました|った|ったため|られ(?:ました|た))|원치 ?않음|주소 ?없음)$',
);
// Requests and refusals that no other rule reads, and notes about mail that comes back.
const REFUSALS = wordPattern(
  'wunscht_keine_(?:infos?|post|werbung|zusendung(?:en)?) (?:merci_de|veuillez|svp|priere_de)_me_retirer me_retirer_de_(?:la|votre|vos) no_(?:le|les)_enviemos (?:fjern(?:e[st]?)?|slett?(?:e[st]?)?|ta|tas|tatt|meldt)_(?:\\S+_)?fra_listen meldt_seg_av kerem_torol(?:ni|jek)? sa_fie_sters[ae]?',
  'δεν_θελει(?=$|_(?:\\d|αλλα|αλλο|πια|πλεον)) μην_ενοχλειτε να_βγει_απο_τη_λιστα не_бажає(?=$|_(?:\\d|отримувати)) видалити_зі_списку не_желае(?=$|_(?:\\d|повече|да_получава)) да_се_премахне',
  'ne_zeli(?=$|_(?:\\d|vise|primati|poste?|mail)) zeli_odjav[ou] nepageidauja(?=$|_(?:\\d|gauti|laisku)) nebesiusti nevelas(?=$|_(?:\\d|sanemt)) ei_soovi(?=$|_(?:\\d|enam|saada|posti|kirju))',
  'xoa_khoi_danh_sach tidak_mau(?=$|_(?:\\d|lagi|menerima|email)) hapus_dari_daftar לא_רוצה(?=$|_(?:\\d|לקבל|דיוור|מיילים)) ไม่ต้องการ(?=$|_\\d) ไม่ต้องการรับ ไม่ต้องการอีเมล ไม่ต้องการรับอีเมล ลบออก ไม่ต้องส่ง हटा_दें',
);
const UNREACHABLE = wordPattern(
  'indirizzo_inesistente adress(?:en)?_finns_inte adressen?_(?:findes|finnes)_ikke posti_palautuu visszajott_(?:a_level|az_e_?mail) nincs_ilyen_cim adresa_nu_exista',
  'διευθυνση_δεν_υπαρχει листи_повертаються posta_se_vraca(?=$|_\\d) thu_bi_tra_lai alamat_tidak_ada العنوان_غير_موجود המייל_חוזר הכתובת_לא_קיימת อีเมลตีกลับ',
);
// Chinese, Japanese and Korean write no blanks between words. So the letters beside a word must not make it a part of
// another one: `过世` is a death, `看过世界` is not.
const ENDS_WITHOUT_BLANKS = new RegExp(
  [
    '(?<![其吉])他界(?![面隈限])|永眠|逝世|病逝|別世|仙逝|辞世|[过過]世(?![界纪紀博面嘉卫上])|(?<![自出本热终])身故(?![险事障乡鄉郷保受])',
    '(?<![가-힣])(?:별세|타계)(?=하|했|[^가-힣]|$)|(?<!로 ?)돌아가[셨심]',
    '不想收|(?<!先)退信(?![用息箱])|地址不存在|(?:邮箱|信箱)已[满滿](?!意)|アドレスが存在し',
    '(?:메일|수신|연락)(?:을|를)? ?원치 ?않|메일 ?주소 ?없음',
  ].join('|'),
  'u',
);
const RELATIVE =
  '(?:dad|father|mum|mom|mother|parent|wife|husband|partner|son|daughter|brother|sister|friend|colleague|boss|neighbou?r|assistant|secretary)s?|vaters?|mutter|eltern|frau|mann(?:es)?|sohn(?:es)?|tochter|bruders?|schwester|chefs?|chefin|kollegin|kollegen|pere|mere|femme|mari|fils|fille|frere|soeur|collegue|padre|madre|marido|esposa|hij[oa]|herman[oa]|moglie|marito|figli[oa]|fratello|sorella|vader|moeder|vrouw|man|zoon|dochter|broer|zus';
const ADDRESS = 'e ?mail(?: address)?|e ?mailadresse|address|adresse|mail|correo|direccion|indirizzo|adres';
// Matches a note about the address of another person: `this is my dad's address`.
const ADDRESS_OF_OTHER = compileWords(
  `^(?:(?:this|that|it)(?: is|s)? |is )?(?:my|his|her|their|our|the) (?:${RELATIVE}) (?:${ADDRESS})$|^(?:(?:das|dies) ist |ist |c ?est |es |e |dit is |this is )?(?:(?:die|der|l|la|el|lo|het|de|the) ?)?(?:${ADDRESS}) (?:von |de |di |van |of )?(?:(?:meine[rs]?|meinem|seine[rs]?|ihre[rs]?|des|der|mon|ma|son|sa|mi|su|mi[oa]|su[oa]|mijn|zijn|haar|my|his|her|their|our) )(?:${RELATIVE})$`,
);

/**
 * True if the words are one of `PHRASES`, with or without a time, or are about the address of another person: `bad
 * address`, `no longer here 2021`, `my dad's address`.
 */
export function isLeftPhrase(words: string): boolean {
  // Both forms are tested. `withoutTime` takes `hier` for the French word for yesterday, so it also removes the German
  // `hier`.
  const isPhrase = [words, withoutTime(words)].some((text) => LEFT_PHRASES.has(withoutBlanks(text)));
  return words.length <= LONGEST && (isPhrase || ADDRESS_OF_OTHER.test(words));
}

/**
 * True for a short note or a tag that says in one of many languages that a person died, wants no mail, or can't be
 * reached: `gick bort 2021`, `ne želi primati`, `退信`.
 */
export function saysEndOfMail(words: string): boolean {
  const isWhole = WHOLE_ENDS.test(withoutTime(words));
  return isWhole || [DEATHS, REFUSALS, UNREACHABLE, ENDS_WITHOUT_BLANKS].some((ends) => ends.test(words));
}
