import { LEFT_PHRASES } from '../sentences/left-phrases.ts';
import { keepsMailAway } from '../several-columns/combine-readings.ts';
import { OPT_OUT_LIST_STARTS } from '../words/opt-out-lists.ts';
import { INACTIVE_WORDS, STATE_WORDS, wordSet } from '../words/value-words.ts';
import { wordsOfFurtherLanguages } from '../words/words-of-further-languages.ts';
import { ENDED_ACCOUNT_WORDS } from './words-below-headers.ts';

/**
 * The kinds of columns about something else. The kind decides which opt-out words count. `name`: names of people,
 * companies, places and things. `foreign`: the state of an order, a contract or an event. `other`: all other columns.
 */
export type OtherColumnKind = 'name' | 'foreign' | 'other';

// The languages in each list, in order: English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Nordic,
// Finnish, Turkish, Czech, Hungarian, Romanian, Russian and its neighbors, Greek, Japanese, Chinese, Korean, Arabic,
// Hebrew, Vietnamese, Thai, Hindi.

/** Words for a death or a refusal. They count in each kind of column. */
const DEATH_AND_REFUSAL_WORDS = [
  'no news, no nl, kein nl, keine news, no promo, no promos, no offers, no ads, no blast, no blasts, no campaigns, no spam, sin correo, sin correos, sin emails, sans mail, sans mails, sans email, sans emails, sans newsletter, senza mail, senza email, senza newsletter, sem email, sem emails, zonder mail, zonder nieuwsbrief, bez maili, bez newslettera, ohne mail, ohne mails, ohne newsletter, ohne werbung, utan mejl, uden mail, uten mail',
  'transactional only, transactional emails only, transactional email only, transactional mail only, transactional mails only, only transactional, only transactional emails, only transactional email, service emails only, service mails only, order emails only, nur transaktional, nur transaktionsmails, nur transaktions e mails, nur transaktionale mails, nur transaktionale e mails, nur servicemails, uniquement transactionnel, transactionnel uniquement, transactionnel seulement, emails transactionnels uniquement, solo transaccional, solo transaccionales, solo transazionale, solo transazionali, apenas transacional, somente transacional, alleen transactioneel, tylko transakcyjne, только транзакционные, bara transaktionella, kun transaktionelle',
  'deceased, died, has died, passed away, the late mr, the late mrs, the late ms, the late dr, late husband, late wife, no longer with us, not interested, no interest, no thanks, no thank you, nein danke, nee bedankt, non merci, no gracias, no grazie, nao obrigado, nie dziekuje, no contact, leave me alone, leave alone, do not disturb, do not write, do not use, do not market, no marketing, do not solicit, no solicitation, no newsletter, no newsletters, no mailings please, never mail, never email, never contact, never again, wants off, wants out, asked to leave, gdpr erasure, gdpr delete, gdpr deleted, gdpr removed, gdpr request, right to erasure, forget me, unsub please',
  'verstorben, verstorbene, verstorbener, gestorben, kein interesse, keine werbung, keine mails, keine mail, keine e mails, keine e mail, kein newsletter, keinen newsletter, kein kontakt, kein mailing, keine post, nicht anschreiben, nicht mailen, nicht mehr anschreiben, nicht verwenden, nicht benutzen, werbesperre, mailsperre, werbeverbot, werbung unerwunscht, widerspruch, werbewiderspruch, robinsonliste, keine zustimmung, nicht einverstanden, mochte nicht, will nicht, will nicht mehr, will raus, mochte raus',
  'decede, decedee, est morte, pas interesse, pas interessee, plus interesse, plus de mail, plus de mails, pas de mail, pas de mails, pas de newsletter, pas de contact, pas de pub, ne pas ecrire, ne pas envoyer, ne plus ecrire, ne plus envoyer, ne pas solliciter, ne pas utiliser, stop pub, refuse la newsletter, sans consentement, pas de consentement, surtout pas, a quitte l association, a quitte le club',
  'fallecido, fallecida, q e p d, qepd, difunto, difunta, no interesado, no interesada, no le interesa, sin interes, no enviar, no molestar, no escribir, no mandar, no quiere, no desea, sin consentimiento, no usar, no utilizar, ya no quiere',
  'deceduto, deceduta, defunto, defunta, e scomparso, e scomparsa, scomparso, scomparsa, e morto, e morta, non interessato, non interessata, nessun interesse, non inviare, non scrivere, non disturbare, non usare, senza consenso, no newsletter, no mail, non vuole',
  'falecido, falecida, sem interesse, nao interessado, nao interessada, nao enviar, nao incomodar, nao quer, sem consentimento, obito',
  'overleden, geen interesse, geen mail, geen mails, geen e mail, geen contact, geen nieuwsbrief, geen reclame, geen post, niet benaderen, niet aanschrijven, niet gebruiken, geen toestemming, wil niet, wil geen mail',
  'zmarl, zmarly, zmarla, nie zyje, niezainteresowany, niezainteresowana, nie zainteresowany, nie wysylac, nie pisac, brak zgody, bez zgody, nie chce, brak kontaktu',
  'avliden, avlidna, reklamspärr, reklamspärrad, ej intresserad, inte intresserad, inget intresse, skicka inte, skicka ej, inga mejl, inga utskick, ej utskick, ej kontakt, ingen kontakt, nej tack, afdod, afgaet ved doden, ikke interesseret, ikke interessert, ingen interesse, send ikke, ikke kontakt, ingen mail, ingen mails, ingen nyhedsbrev, nej tak, nei takk, avdod, ma ikke kontaktes, gik bort, avgatt ved doden, er avgatt ved doden',
  'kuollut, edesmennyt, menehtynyt, poisnukkunut, ei kiinnosta, ei kiinnostunut, ei kiitos, ei mainoksia, ei postia, ei sahkopostia, ala laheta, ei saa lahettaa, ei yhteydenottoja',
  'vefat etti, merhum, hayatini kaybetti, ilgilenmiyor, istemiyor, istemiyorum, mail istemiyor, gondermeyin, aramayin',
  'zemrel, zemrela, zemrely, zomrel, zomrela, umrel, umrela, umrla, nema zajem, bez zajmu, nezajem, nezasilat, neposilat, nekontaktovat, bez souhlasu, nechce, elhunyt, meghalt, nem erdekli, ne kuldjon, ne kuldj, nem kivan, nem ker, decedat, decedata, neinteresat, neinteresata, nu contactati, nu doreste, fara acord',
  'умер, умерла, умерший, скончался, скончалась, покойный, покойная, ушел из жизни, ушла из жизни, погиб, погибла, преминуо, преминула, не интересно, не интересует, не писать, не беспокоить, не звонить и не писать, не контактировать, не отправлять, не хочет, нет согласия, без согласия, помер, померла, не писати, не турбувати, απεβιωσε, θανων, αποθανων, αποβιωσε, μακαριτης, μακαριτισσα, δεν ενδιαφερεται, μη στελνετε, να μην σταλει',
  '死亡, 逝去, 往生, 故人, 死去, ご逝去, 物故, 興味なし, 送信不要, 案内不要, お断り, 配信不要, 送付不要, 送信不可, 連絡不要, 連絡不可, 連絡ng, メールng, 送信ng, 送付ng, 配信ng, 案内ng, dmng, メール不要, メール不可, 送らない, 要らない, 已故, 去世, 已去世, 亡故, 不感兴趣, 不感興趣, 勿扰, 勿擾, 勿联系, 勿聯繫, 拒收, 拒收邮件, 不要联系, 不要发送, 请勿联系, 请勿打扰, 사망, 별세, 고인, 관심없음, 관심 없음, 연락금지, 연락 금지, 수신거부, 발송금지, متوفى, متوفي, متوفاة, رحمه الله, رحمها الله, غير مهتم, لا ترسل, لا يرغب, عدم الاتصال, נפטר, נפטרה, מת, מתה, הלך לעולמו, לא מעוניין, לא מעוניינת, לא לשלוח, לא ליצור קשר',
  'đã mất, qua đời, đã qua đời, từ trần, meninggal dunia, đã xóa, không gửi, không gửi email, đừng gửi email, không quan tâm, từ chối nhận email, เสียชีวิต, ถึงแก่กรรม, ไม่สนใจ, ห้ามส่ง, ห้ามส่งอีเมล, ไม่รับอีเมล, ไม่ต้องการรับข่าวสาร, मृत, निधन, मृत्यु, स्वर्गीय, স্বর্গীয়, মৃত, இறந்துவிட்டார், रुचि नहीं, ईमेल न भेजें, संपर्क न करें',
];

/**
 * Words that users write beside the name of a person, such as `deleted`. They are rarely a name, but they can be the
 * state of an order.
 */
const MARKS = [
  wordsOfFurtherLanguages('ended'),
  'deleted, deleted user, deleted contact, disabled by user, disabled by bounces, disabled by bounce, disabled by admin, disabled by moderator, disabled due to bounces, user deleted, account deleted, delete me, to delete, to be deleted, please delete, removed user, anonymized, anonymised, anonymized user, anonymous user deleted, erased, redacted gdpr, blacklisted, blacklist, blocklisted, denylisted, suppressed, bounced, hard bounce, undeliverable, unreachable address, complained, complainer, unsubscriber, unsubscribing, unsubscription, deactivated user, left company, left the company, left the list, left us, no longer works here, no longer there, no longer employed, no longer at company, no longer exists, does not exist, moved away, gone away, return to sender, returned to sender, addressee unknown, unknown recipient, mailbox full, mailbox closed, email dead, dead address, dead email, bad email, wrong person, wrong address, wrong email, opt out requested, spam complaint, do not import, not mailable, unmailable, ex customer, ex member, former member, former customer, membership ended, membership cancelled, estate of, the estate of, not wanted, not wished, do not follow up, dont follow up, not to follow up, do not pursue, do not approach, do not reach out, do not chase, do not engage, do not target, do not invite, dont invite, do not include',
  'nicht ubernehmen, nicht importieren, nicht migrieren, ne pas importer, ne pas reprendre, niet overnemen, niet importeren, geloscht, loschen, bitte loschen, zu loschen, wurde geloscht, entfernt, bitte entfernen, entfernen, gesperrt, sperren, gesperrte, gesperrter, mailsperrung, geblockt, blockiert, storniert, gekundigt, ausgetreten, ausgeschieden, ausgestiegen, ausgetragen, austritt, abgemeldet, abgang, nicht mehr im unternehmen, nicht mehr da, nicht mehr mitglied, unbekannt verzogen, unzustellbar, verzogen, empfanger unbekannt, existiert nicht, existiert nicht mehr, adresse falsch, falsche adresse, falsche mail, mail falsch, rucklaufer, rucklauf, ehemalig, ehemaliger, ehemaliges mitglied, ex mitglied, ex kunde, deaktiviert, unerwunscht, nicht erwunscht, nicht gewunscht, nicht mehr erwunscht, nicht mehr gewunscht, nicht nachfassen, kundigung, rausnehmen, herausnehmen, bitte rausnehmen, bitte herausnehmen, rauswerfen, rausloschen, widerrufen',
  'supprime, supprimee, a supprimer, supprimer, desactive, desactivee, resilie, resiliee, bloque, bloquee, radie, radiee, retire de la liste, npai, n habite plus, n existe plus, adresse invalide, adresse erronee, a quitte l entreprise, a quitte la societe, parti de la societe, ancien client, ancien membre, ne fait plus partie, liste noire, demissionnaire, resiliation, enlever, a enlever, non souhaite, pas souhaite, non desire',
  'eliminado, eliminada, eliminar, borrado, borrada, borrar, dado de baja, bloqueado, bloqueada, cancelado, cancelada, anulado, anulada, rebotado, devuelto, lista negra, ya no trabaja, ya no trabaja aqui, ex cliente, ex socio, excluido, excluida, dar de baja, baja voluntaria, no deseado, no deseada, no dar seguimiento, no hacer seguimiento, quitar',
  'cancellato, cancellata, da cancellare, eliminato, eliminata, rimosso, rimossa, bloccato, bloccata, annullato, annullata, disdetto, indirizzo errato, non esiste, non lavora piu qui, ex socio, lista nera, disdetta, togliere, da togliere, rimuovere, da rimuovere, non desiderato, non desiderata, non gradito, non ricontattare, revocato, nao desejado, nao desejada, removido, removida, excluido, apagado, apagada, deletado, bloqueado, desligado, desligada, nao existe, nao trabalha mais, saiu da empresa, saiu da lista, inativado',
  'wyrzucic, geroyeerd, niet gewenst, ongewenst, niet opvolgen, opzegging, verwijderd, verwijderen, geblokkeerd, opgezegd, gestopt, uitgeschreven, afgemeld, bestaat niet, bestaat niet meer, verhuisd, uit dienst, oud lid, zwarte lijst, usuniety, usunieta, usunac, do usuniecia, skasowany, zablokowany, zablokowana, wypisany, nie istnieje, nie pracuje, zwrot, czarna lista, anulowany, rezygnacja',
  'ej onskat, utesluten, uteslutet, udelukket, utelukket, ekskluderet, ekskludert, erotettu, inte onskat, ikke onsket, uppsagning, opsigelse, oppsigelse, irtisanominen, borttagen, tas bort, ta bort, raderad, spärrad, uppsagd, avslutad, utträdd, finns inte, slutat, returnerad, slettet, fjernet, slettes, blokeret, blokkert, sperret, udmeldt, utmeldt, opsagt, oppsagt, ophort, avsluttet, sluttet, findes ikke, poistettu, poistetaan, estetty, eronnut, irtisanottu, lopettanut, peruutettu, ei olemassa, silindi, silinmis, silinecek, engellendi, engelli kullanici, iptal edildi, ayrildi, abonelikten ayrildi, cikarildi',
  'vyradit, smazano, smazan, smazat, vymazan, zruseno, zrusen, blokovan, zablokovan, vyrazen, neexistuje, odhlasen, odhlaseno, torolt, torolve, torlendo, torolni, letiltva, letiltott, lemondott, kilepett, megszunt, sters, stearsa, eliminat, blocat, blocata, anulat, retras, nu mai exista, dezactivat',
  'убрать, вычеркнуть, удален, удалена, удалено, удалить, заблокирован, заблокирована, заблокировать, отключен, отказался, отказалась, отказ, выбыл, выбыла, уволен, уволилась, уволился, не существует, не работает, недоставлено, черный список, видалений, видалено, видалити, заблокований, звільнений, διαγραφη, διαγραμμενος, διαγραφηκε, μπλοκαρισμενος, αποχωρησε',
  '退会, 退会済, 退会済み, 退会者, 休会, 休会中, 休会者, 脱会, 脱退, 退部, 退団, 휴회, 휴회중, 削除, 削除済, 削除済み, 解約, 解約済, 解約済み, 退職, 退職済, 退職済み, 無効, 停止中, 配信停止, 宛先不明, 転居先不明, 不着, エラーメール, ブロック, 已删除, 已刪除, 删除, 刪除, 已注销, 已註銷, 已取消, 已离职, 已離職, 已退出, 黑名单, 黑名單, 无效, 탈퇴, 탈퇴회원, 삭제, 삭제됨, 해지, 차단, 차단됨, 퇴사, 수취인불명, محذوف, تم الحذف, محظور, ملغى, منسحب, נמחק, נמחקה, חסום, חסומה, הוסר, הוסרה, עזב, למחוק',
  'hủy đăng ký, đã hủy đăng ký, ยกเลิกการสมัคร, เลิกรับข่าวสาร, ลบแล้ว, सदस्यता समाप्त, हटाया गया',
];

/**
 * Words that can be names of people, companies and places, such as `Gone`. They count only in columns without names.
 */
const ORDINARY_NAMES = [
  'spamtrap, spam trap, catch all, role based',
  'transactional, transactional email, transactional emails, transactional mail, transaktional, transaktionsmails, transactionnel, transaccional, transazionale, transacional, transactioneel, transakcyjny',
  'left, gone, dead, deces, demission, delete, remove, exclude, suppress, purge, drop, del, opposition, robinson, poista, vefat, quit, out, ended, former, closed account, account closed, inactive member, abmelden, abmeldung, austragen, loschung, tot, raus, parti, muerto, muerta, baja, morto, morta, saiu, uscito, odszedl, odeszla, kuoli, mrtvy, halott, ушел, ушла, νεκρος, 不要, 停止, 取消, 死, 취소, הלך',
  'unsubscribe here, sign off, signed off, taken off, struck off, crossed out, strikethrough, struck through, struck out, durchgestrichen, tachado, barrato, doorgehaald, przekreslony, overstruket, cancelled member, cancel membership, cancel, terminate, resigned, resignation, sperre, blockieren, stornieren, desabonner, suppression, desuscribir, cancelar, cancelacion, cancellare, cancellazione, descadastrar, cancelamento, afmelden, uitschrijven, opzeggen, rezygnuje, wypis, usun, avsluta, peruuta, silin, iptal et, odhlasit, zrusit, leiratkozas, torles, dezabonare, stergere, отписать, отписка, видалення, διαγραφω, 解除, 退訂, 退订, 해지요청',
];

/** Status words, such as `manual`, that are ordinary values in columns about something else. They don't count there. */
const ORDINARY_STATUS_WORDS = wordSet([
  'manual, by user, by admin, by moderator, uns, cleaned, erase, baixa, ยกเลิก, nonaktif, 정지',
]);

const RESTRICTIVE_STATUS_WORDS = [...STATE_WORDS].flatMap(([word, status]) =>
  keepsMailAway(status) && status.state !== 'pending' && !ORDINARY_STATUS_WORDS.has(word) ? [word] : [],
);
const WORDS_ABOUT_PEOPLE = wordSet(DEATH_AND_REFUSAL_WORDS);
const WORDS_BESIDE_NAMES: ReadonlySet<string> = new Set([...WORDS_ABOUT_PEOPLE, ...wordSet(MARKS)]);
const ALL_OPT_OUT_WORDS: ReadonlySet<string> = new Set([
  ...WORDS_BESIDE_NAMES,
  ...wordSet(ORDINARY_NAMES),
  ...RESTRICTIVE_STATUS_WORDS,
]);

/** The opt-out words for each kind of column, in the form of `wordLookupKey`. */
export const OPT_OUT_WORDS: Readonly<Record<OtherColumnKind, ReadonlySet<string>>> = {
  foreign: WORDS_ABOUT_PEOPLE,
  name: WORDS_BESIDE_NAMES,
  other: ALL_OPT_OUT_WORDS,
};

/**
 * Opt-out words that can be a header. A yes or a date below such a header is an opt-out. A word that can be a name is
 * included only if it is a status word too.
 */
export const OPT_OUT_HEADERS: ReadonlySet<string> = new Set([...WORDS_BESIDE_NAMES, ...RESTRICTIVE_STATUS_WORDS]);

/** Beginnings of opt-out words. Each form of such a word counts, also with a typing error at its end. */
const STEMS = (
  'unsub unsuscr abgemeld abbestell ausgetrag desabon desinscri disiscri descadast uitgeschrev wypisan avregistrer avanmal ' +
  'frameld odhlas leiratkoz dezabon отписа відписа verstorb gesperrt geloscht blacklist blocklist suppress deceas overled avlid'
).split(' ');
// Matches one of `STEMS` with at most seven more letters.
const STEM = new RegExp(`^(?:${STEMS.join('|')})\\p{L}{0,7}$`, 'u');

/** True for any form of an opt-out word that begins with one of `STEMS`: `unsubscribing`, `abgemeldete`. */
export function isFormOfOptOut(word: string): boolean {
  return STEM.test(word);
}

/** The first letters of sentences that refuse mail, without blanks: `please` for `Please stop`. */
const REFUSAL_BEGINNINGS = (
  'please pls plz plse deleteme countme donot dont never nomore nolonger noemail nomail nonews nomarket notto notinterest doesnt wants wishes removeme removefrom removal removemy deletemy takeme takemy takeoff getme dropme eraseme erasemy kindly optout optedout askedto hasasked requested leaveme cancelnews cancelsub stopmail stopemail stopsend stopcontact complain reportedspam saidno didnot ' +
  'loschenm streichenm loschtm streichtm entferntm nehmt nehmens mochten bitte keine keinnews nicht mochtek mochten willk willn wunschtk hatsich hatabge mailsunerw newsletterabb werbungunerw aufwunsch einwilligungw nieangem ' +
  'supprimezm retirezm enlevezm desinscrivezm nepas neplus neveut nesouhaite pasde plusde plusaucun aucun jeneveux demandede retirerdela seretire ' +
  'quitenme borrenme eliminenme saquenme noenviar nomand noquiere nodesea nocontact nomolest noescrib nomasc nomase solicit pidiol pidiob darde quitarde ' +
  'toglietemi cancellatemi rimuovetemi removamm tiremme meremova metire meretire meexclua nonvuole noninv noncont nondesid nonscriv nonpiu chiest hachiest cancellarsi cancellareda togliere naoquer naoenv naodesej naomand naocont pediupara pediue removerda sairda ' +
  'verwijderm haalm schrijfm wilniets wilgeen geenmail geenmeer geennieu geenrecl geencont nietm nietben nietcont wilniet verwijderuit ' +
  'niechce niewys niepis niekont brakzg wypiszm usunz proszeu proszen rezygnuje ' +
  'skalik skaint skaej skalle maikke farikk farint tabortm strykmi sletmi slettme fjernm villinget villinte vilikke inga ingen skickainte skickaej ikkekont ikkesend ikkemail tabortfr onskarinte onskerikke eimail eihalua alalah alakaa eienaa poistalist ' +
  'istemi gonderme mailist epostaist listedenc nechce neposil nezasil nekontakt nemaz vyradit nemker nemkiv nekuld nedoresc nudor nutrim nuvrea nucont scoatet ' +
  'нехоч непис неприс неотпр небесп удалитьиз прошу уберите ненадсил нетребар δενθελ μηνστελ メールはい メールを 送らな 配信を 配信し 連絡し 不要再 不要给 不要發 请勿 請勿 拒绝 수신을 보내지 연락하지 لاترسل لايريد لاتريد לאלשלוח לארוצה נאלא'
).split(' ');

/** Matches letters that cross a name out: `xxx`. */
export const CROSSED_OUT_LETTERS = /^(?:x{3,}|z{2,})$/u;

/** Beginnings of notes in brackets beside a name, such as `(inactive)`. They may mean an end. */
export const OPEN_NOTES: readonly string[] =
  'inactiv inactif inactie inaktiv inattiv inativ nieaktyw neaktiv неактив suspend archived archivi archivad archivee lapsed dormant deaktiv pausier'.split(
    ' ',
  );
/** Abbreviations in a note in brackets beside a name: `(verst.)`. */
export const ABBREVIATED_NOTES: readonly string[] =
  'verst gest gesp gel abg abgem abm abbest ausgetr gek inakt inact unzust deced fallec overl uitg susp unzust ausgesch'.split(
    ' ',
  );

/**
 * A role in Mailman exports. It counts only in a column of roles. In other columns it is about membership in a club.
 */
export const NONMEMBER_ROLE = 'nonmember';

/** All words, or beginnings of words, that the word filter must find. */
export const OPT_OUT_STARTS: readonly string[] = [
  ...ALL_OPT_OUT_WORDS,
  ...STEMS,
  ...REFUSAL_BEGINNINGS,
  ...ENDED_ACCOUNT_WORDS,
  ...INACTIVE_WORDS,
  ...OPT_OUT_LIST_STARTS,
  ...LEFT_PHRASES,
  NONMEMBER_ROLE,
  'xxx',
  'zz',
  'dec',
  'rip',
  ...'late thelat estate theest none never off disabled kein nie nein aus aucun jamais ningun nunca nessun nenhum geen nooit ingen inget aldri nigdy nikdy mai zero cero noll nula ноль нуль essential vacat hold paus suspend webonly'.split(
    ' ',
  ),
  ...ABBREVIATED_NOTES,
  ...'ex old former obsolete defunct ehem alt ancien antigu vecchi oud star gamm'.split(' '),
];
