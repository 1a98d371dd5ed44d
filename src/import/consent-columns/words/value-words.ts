import { withLastResult } from '../../../base/lib/memoize.ts';
import type { StatusReading } from '../../../platforms/lib/states.ts';
import {
  BOUNCED,
  COMPLAINED,
  PENDING,
  SUBSCRIBED,
  SUPPRESSED,
  UNSUBSCRIBED,
} from '../../../platforms/lib/status-words.ts';
import { withoutBlanks, withoutMarkup, wordsOf } from './plain-words.ts';
import { MAYBE_NO_WORDS, wordsOfFurtherLanguages } from './words-of-further-languages.ts';

/**
 * The reading of a person who gets no mail for the reason `why`. Its state is `pending`, so that `subscribed` in
 * another column does not win over it.
 */
export function skipReading(why: string): StatusReading {
  return { state: 'pending', why };
}

// Matches a date at the end of a text: `withdrawn on 3/5/2021`. It stands above the tables of words, which need it.
const DAY_AT_END =
  /(?<=\p{L})[\s:,;-]+(?:(?:on|at|am|le|el|il|em|op|den|since|seit)\s+)?(?:\d{1,2}[./-]){0,2}(?:19|20)\d\d(?:[-./]\d{1,2}){0,2}(?:[T\s][\d:.]+Z?)?\s*$/iu;
// Quick tests that save time: a date has no letters, and most words have no additions such as `2 -`.
const HAS_LETTERS = /[a-z\u0080-\uffff]/i;
const MAY_HAVE_ADDITIONS = /^\s*(?:\d|stat|subs|b')|[\d)Z.:]\s*$/i;

/**
 * The key under which the tables below store a word, without what exports add to it: `unsubscribed` for `2 -
 * Unsubscribed`.
 */
export const wordLookupKey = withLastResult((text) => {
  if (/^\s*[-\u2212]\d/.test(text)) {
    return text.trim();
  }
  return withoutBlanks(wordsOf(bareOf(withoutMarkup(text)))) || text.replaceAll('\ufe0f', '').trim();
});

// The word without what exports add to it: `2 - Unsubscribed`, `status: unsubscribed`, `unsubscribed (2021-01-01)`,
// `withdrawn 2021`, `0.0`, `b'0'`.
function bareOf(text: string): string {
  return HAS_LETTERS.test(text) ? wordWithoutAdditions(text) : text.replace(/^\s*([01])[.,]0+\s*$/u, '$1');
}

function wordWithoutAdditions(text: string): string {
  return MAY_HAVE_ADDITIONS.test(text)
    ? text
        .replace(/^\s*(?:\d{1,3}\s*[-–:.)=]\s*(?=\p{L})|(?:status|state|subscription)\s*[:=]\s*)/iu, '')
        .replace(/(?<=\p{L})\s*\([^\p{L}()]*\)\s*$/u, '')
        .replace(DAY_AT_END, '')
        .replace(/^\s*b'([01])'\s*$/iu, '$1')
    : text;
}

/** The reading of a yes to mail. It gives no state. But svc must then ask what a blank in the column means. */
export const AGREES_READING: StatusReading = { state: 'none', agreesToMail: true };

const NEVER_AGREED = skipReading('no_consent');

// Words for a confirmation that is still missing: `DOI-offen`, `opt-in pending`.
const CONFIRMATIONS = 'doi, coi, opt in, double opt in, confirmed opt in, bestatigung, confirmation, einwilligung';
const MISSING =
  'offen, noch offen, ausstehend, fehlt, pending, open, outstanding, missing, unconfirmed, not confirmed, nicht bestatigt, unbestatigt, requested, angefragt, en attente, pendiente, in attesa, pendente, openstaand, in afwachting';
// Words for a consent that is still awaited: `Consent - Waiting` of Zoho, `awaiting permission`.
const CONSENTS =
  'consent, permission, einwilligung, zustimmung, consentement, consentimiento, consenso, consentimento, toestemming, zgoda, samtycke, samtykke';
const AWAITED =
  'pending, waiting, awaiting, awaited, requested, not responded, no response, ausstehend, wartend, angefragt, en attente, pendiente, in attesa, pendente, in afwachting, oczekuje, vantar, afventer';
const UNFINISHED = [
  ...CONSENTS.split(', ').flatMap((what) => AWAITED.split(', ').flatMap((how) => [`${what} ${how}`, `${how} ${what}`])),
  ...CONFIRMATIONS.split(', ').flatMap((what) => MISSING.split(', ').map((how) => `${what} ${how}`)),
  ...'pending doi, open doi, offene doi, doi wartend, warten auf doi, doi angefordert, en attente de confirmation, pendiente de confirmar, pendiente de confirmacion, in attesa di conferma, aguardando confirmacao, wacht op bevestiging, oczekuje na potwierdzenie'.split(
    ', ',
  ),
];

/** Words that are only used about mailing. They count under any header. */
const CLEAR: readonly (readonly [StatusReading, string])[] = [
  [
    SUBSCRIBED,
    'subscribed, opted in, opt in, optin, optedin, double opt in, confirmed opt in, single opt in, double opted in, single opted in, confirmed opted in, abonniert, eingetragen, abonne, abonnee, abonnes, inscrit, inscrite, suscrito, suscrita, iscritto, iscritta, inscrito, inscrita, ingeschreven, geabonneerd, zapisany, zapisana, subskrybuje, prenumererar, abonnerar, tilmeldt, pameldt, tilaaja, abone, подписан, подписана, подписчик, 購読中, 已订阅, 已訂閱, 구독중',
  ],
  [
    UNSUBSCRIBED,
    'unsubscribed, unsubscribe, unsubscribes, unsub, unsubs, unsubbed, opted out, opt out, optout, optedout, opt out all, globally unsubscribed, unsubscribed all, unsubscribed from all, unsubscribed by user, unsubscribed by admin, user unsubscribed, list unsubscribe, do not contact, do not email, do not mail, do not send, dont contact, dont email, dnc, dnd, dne, no longer subscribed, not subscribed anymore, self unsubscribed, manually unsubscribed, has unsubscribed, has opted out, signed off, removed from list, left list, left the list, no emails, no email please, stop mailing, nomail, unsubscribers, unsubscriber, opted out contacts, opted out list, unsubscribe list, do not contact list, do not email list, please unsubscribe, unsubscribe me, wants to unsubscribe, asked to unsubscribe, requested unsubscribe, unsubscribe requested, opt outs, optouts, no email, no mail, no mailing, no mailings, e mail no, email no, global unsubscribe, global opt out, 해지, consent withdrawn, withdrawn consent, consent revoked, revoked consent',
  ],
  [UNSUBSCRIBED, wordsOfFurtherLanguages('left')],
  [NEVER_AGREED, wordsOfFurtherLanguages('never')],
  [
    UNSUBSCRIBED,
    'abgemeldet, abgemeldete, abgemeldeter, ausgetragen, abbestellt, widerrufen, nicht mehr abonniert, nicht kontaktieren, desabonne, desabonnee, desabonnes, desinscrit, desinscrite, desinscrits, ne pas contacter, ne plus contacter, dado de baja, dada de baja, de baja, desuscrito, desuscrita, dessuscrito, no contactar, disiscritto, disiscritta, disiscritti, non contattare, descadastrado, descadastrada, desinscrito, desinscrita, descinscrito, nao contatar, uitgeschreven, afgemeld, niet contacteren, niet mailen, wypisany, wypisana, wypisani, wypisane, wyrejestrowany, wyrejestrowana, zrezygnowal, zrezygnowala, nie kontaktowac, avregistrerad, avanmald, avprenumererad, avslutad prenumeration, frameldt, afmeldt, avmeldt, utmeldt, kontakta inte, ma ikke kontaktes, peruutettu, peruuttanut, poistunut listalta, abonelikten cikti, abonelikten cikmis, abonelikten ayrildi, listeden cikti, отписан, отписана, отписался, отписалась, отписались, отказ от рассылки, не беспокоить, відписаний, відписався, odhlasen, odhlaseny, odhlasena, leiratkozott, dezabonat, donat de baixa, baixa voluntaria, 配信停止, 購読解除, 解除済み, オプトアウト, 退订, 已退订, 取消订阅, 退訂, 已退訂, 取消訂閱, 取消订閱, 配信拒否, 希望しない, 受信拒否, διαγραμμενος, διαγραμμενη, απεγγεγραμμενος, 수신거부, 구독취소, 구독해지, إلغاء الاشتراك, الغى الاشتراك, הוסר מהרשימה, ביטל הרשמה, odjavljen, odjavljena, odjavio se, atsisake, atsisakes, atteicas, atteicies, loobus, loobunud, afskradur, afskrad, لغو اشتراک, لغو عضویت, huy dang ky, berhenti berlangganan',
  ],
  [
    NEVER_AGREED,
    'never subscribed, non subscribed, nonsubscribed, not subscribed, never opted in, not opted in, no consent, without consent, never consented, unconsented, no opt in, nicht abonniert, nicht angemeldet, nie angemeldet, keine einwilligung, non abonne, non inscrit, pas inscrit, jamais inscrit, no suscrito, nunca suscrito, non iscritto, mai iscritto, nao inscrito, niet ingeschreven, nooit ingeschreven, niezapisany, nie zapisany, inte prenumerant, ikke tilmeldt, ikke pameldt, ei tilaaja, abone degil, не подписан, не подписана',
  ],
  [
    BOUNCED,
    'hard bounce, hard bounced, hardbounce, hardbounced, hard bounces, bounced hard, permanent bounce, permanently bounced, bounced permanently',
  ],
  [
    COMPLAINED,
    'spam complaint, complained, complained of spam, marked as spam, marked spam, spammed, spam report, spam reported, reported as spam, abuse complaint, als spam markiert, signale comme spam, marcado como spam, segnalato come spam, gemarkeerd als spam, oznaczony jako spam',
  ],
  [PENDING, UNFINISHED.join(',')],
  [
    PENDING,
    'unconfirmed, not confirmed, unactivated, not activated, awaiting confirmation, pending confirmation, confirmation pending, unbestatigt, nicht bestatigt, non confirme, non confermato, sin confirmar, no confirmado, nao confirmado, niet bevestigd, niepotwierdzony, ej bekraftad, ikke bekraeftet, не подтвержден, не подтверждена',
  ],
];

// Words for a person who gets mail. They do not mention mail, so they count only under a header of agreement, or under
// a status header of neutral words.
const GENERIC_YES =
  'active, en cours, aktiv, aktive, aktiver, actif, activo, activa, attivo, attiva, ativo, ativa, actief, aktywny, aktywna, aktif, aktivni, активен, активна, активный, активная, активний, aktiivinen, activ, alta, aktivny, aktivan, aktivno, aktiivne, aktivs, aktyvus, actiu, hoat dong, ใช้งาน, 正常, 정상, نشط, פעיל, 有効, 有效, ενεργος, ενεργη, активан, عضو, فعال, सदस्य, सक्रिय, เป็นสมาชิก';
// Words that say less than `active`. svc signs a person up by such a word only after an answer of the user.
const GENERIC_AGREEMENTS =
  'ok, okay, good, normal, living, alive, lebend, available, доступен, marketable, unengaged marketable, valid, deliverable, verified, safe, reachable, enabled, gultig, valide, valido, zustellbar';

/** Words that count only in columns about consent, because elsewhere they can mean something else. */
const CONSENT_COLUMN_WORDS: readonly (readonly [StatusReading, string])[] = [
  [SUBSCRIBED, wordsOfFurtherLanguages('subscribed')],
  [UNSUBSCRIBED, wordsOfFurtherLanguages('ended')],
  [
    SUBSCRIBED,
    'sub, active subscriber, normal subscriber, aktiv prenumerant, prenumerant, dado de alta, prihlasen, prihlaseny, feliratkozott, feliratkozo, subskrybent, subskrybentka, suscriptor, suscriptora, subscritor, odberatel, 購読者, 订阅者, 訂閱者, 구독자, feliratkozva, abonat, підписаний, підписана, εγγεγραμμενος, συνδρομητης, 購読, 구독, مشترك, רשום, מנוי, subscriber, angemeldet, aangemeld, подписан на рассылку, 配信中',
  ],
  [SUBSCRIBED, GENERIC_YES],
  [
    UNSUBSCRIBED,
    'removed, left, cancelled, canceled, cancelado, cancelada, annule, annulee, annullato, annullata, baja, baja voluntaria, baja definitiva, entfernt, storniert, gekundigt, retire, supprime de la liste, eliminado, eliminada, rimosso, rimossa, removido, removida, verwijderd, opgezegd, usuniety, usunieta, borttagen, fjernet, poistettu, iptal, удален, удалена, revoked, withdrawn, zuruckgezogen, revoque, revoquee, wycofany, wycofana, wycofane, cofniety, cofnieta, odvolan, odvolano, aterkallat, aterkallad, tilbagekaldt, objected, declined, refused, rejected, churned, quit, gone, stopped, stop, ended, terminated, beendet, ausgetreten, gestopt, opgehouden, 停止, opt out requested, erasure, erase, erasure request, data erasure, deletion, deletion request, data deletion, right to be forgotten, loschung, effacement, 退会, 退会済み, uns, usub, unsb, by user, leaver, resigned, resilie, resiliee, anulado, anulada, anulat, anulowany, anulowana, zruseno, zrusen, torolt, lemondott, ophort, opsagt, avsluttet, avslutad, uppsagd, oppsagt, peruttu, lopettanut, скасовано, скасований, отменен, отменена, ακυρωθηκε, ακυρωμενος, 已取消, 取消, 탈퇴, 해지, 취소, baixa, donada de baixa, kustutatud, dzests, istrintas, obrisan, sters, διεγραφη, απεγγραφη, ยกเลิก, nonaktif, ملغى, ملغي, הוסר, בוטל, מבוטל, da huy, dibatalkan',
  ],
  [
    SUPPRESSED,
    'suppressed, suppress, blocked, manual, provider suppressed, blacklisted, blacklist, blocklisted, blocklist, denylisted, banned, gesperrt, blockiert, bloque, bloquee, bloqueado, bloqueada, bloccato, bloccata, geblokkeerd, zablokowany, zablokowana, sparrad, blokeret, blokkert, estetty, engellendi, заблокирован, заблокирована, global suppression, globally suppressed, on suppression list, by moderator, by admin, mail blocked, mailblocked, domain suppression, domainsuppression, geblockt, blokets, uzblokuotas, blokiran, diblokir, bi chan, ถูกระงับ, محظور, חסום, 차단',
  ],
  [
    BOUNCED,
    'bounced, bounce, cleaned, rebote, rebotado, rebondi, rimbalzato, odbity, studsad, 退信, 반송, недоставлено',
  ],
  [
    COMPLAINED,
    'complaint, complaints, spam, junk, abuse, complainer, complainers, user complained, isp complained, isp complaint, direct complaint, spam complainers, plainte, queja, beschwerde',
  ],
  [
    skipReading('bounced'),
    'undeliverable, unzustellbar, bnc, bncd, bouncing, by bounces, gebounced, gebounct, rebondit, devuelto, devolvido, visszapattant, rebotados, on hold bounce, mailbox not found, held, nedorucitelny, zuruckgewiesen, bereinigt, opgeschoond, opgeruimd, unreachable, temp unreachable, temporarily unreachable, spam rejected, spam folder, недоступен, временно недоступен, zwrot, zwrot twardy',
  ],
  [AGREES_READING, GENERIC_AGREEMENTS],
  [
    PENDING,
    'pending, pending opt in, ausstehend, wartend, en attente, pendiente, in attesa, pendente, in afwachting, oczekujacy, vantar, afventer, odottaa, beklemede, ожидает, inactive pending, waiting, not responded, neconfirmat, nepotvrden, chua xac nhan, nepotvrzen, nepotvrzeny, do aktywacji',
  ],
  [
    skipReading('invalid'),
    'invalid, invalid email, email invalid, adresse invalide, email invalide, ungultig, dead, dead email, undeliverable address, spamtrap, spam trap, disposable, risky, role based, role account, no mx record, nomxrecord, invalido, invalida, non valido, invalide, ongeldig, nieprawidlowy, ogiltig, ugyldig, virheellinen, neplatny, ervenytelen, gecersiz, недействителен, недійсний, ακυρος, 无效, 無効, 무효, غير صالح, לא תקין',
  ],
  [skipReading('archived'), 'archived, archiviert, archive, archivado, archiviato, gearchiveerd'],
  [skipReading('deleted'), 'deleted, geloscht, supprime, trashed, trash, erased, redacted, anonymized, anonymised'],
  [NEVER_AGREED, 'transactional, transactional only'],
  [skipReading('disabled'), 'disabled, deaktiviert, desactive, deactivated, suspended'],
];

/** Words for `inactive`. A person whose account is inactive may have left. */
export const INACTIVE_WORDS: ReadonlySet<string> = wordSet([
  'inactive, inaktiv, inactif, inactivo, inactiva, inattivo, inattiva, inativo, inativa, inactief, nieaktywny, nieaktywna, neaktivni, neaktivny, ei aktiivinen, inactiv, inactiu, neaktivan, mitteaktiivne, neaktivs, neaktyvus, tidak aktif, khong hoat dong, ไม่ใช้งาน, pasif, неактивен, неактивна, неактивный, неактивний, ανενεργος, غير نشط, לא פעיל, 휴면, 休眠, not active, nicht aktiv, ruhend',
]);

/** Further words for a status that do not show whether the person wants mail. svc asks about them. */
const OPEN_WORDS = wordSet([
  'rebutjat, respins, unavailable, passive, dormant, sleeping, paused, pausiert, on hold, snoozed, suspended, suspendu, suspendue, suspendido, sospeso, suspenso, zawieszony, desactive, geopschoond, lapsed, transferred out, expired, abgelaufen, frozen, fail, failed, error, エラー, unknown, catchall, catch all, accept all',
]);

/** Words for mail that came back or was not sent. They count under any header, but suppress no address. */
const HELD_BACK: readonly (readonly [StatusReading, string])[] = [
  [
    skipReading('bounced'),
    'bounced, bounces, bounced email, bounced emails, email bounced, email bounces, undeliverable, unzustellbar, cleaned contacts, hard bounces list',
  ],
  [
    skipReading('suppressed'),
    'suppressed, suppression list, suppressed contacts, blacklisted, blocklisted, complainers, spam complaints, spam complainers',
  ],
];

/** Words that deny something, such as `denied`. The plain words for no follow below. */
const DENIALS =
  'denied, 거부, 거절, 비동의, 미동의함, 철회, 철회함, 미수신, 수신안함, 안함, 없음, 受け取らない, 受信しない, なし, 無し, 無, 未, 否認, 希望しません, 不願意, 不愿意, 不同意, 不訂閱, 不订阅, 关闭, 關閉, オフ, ng, 拒否, 拒絕, 拒绝, 不要, do not allow, izin verme, izin vermeyin, nicht zulassen, ne pas autoriser, non autorise, no permitir, no permitido, non consentire, non consentito, niet toestaan, niet toegestaan, nao permitir, nao permitido, nie zezwalaj, nie zezwalac, tillat inte, tillat ej, tillad ikke, tillat ikke, ikke tillat, ikke tillad, ala salli, nepovolit, nepovoleno, nincs engedelyezve, nem engedelyezett, не разрешать, запретить, не дозволяти, nu permite, 不允许, 不允許, 許可しない, 許可しません, 허용 안 함, 허용하지 않음, declined, refused, rejected, revoked, withdrawn, disagree, disagreed, not agreed, not given, not granted, not accepted, not allowed, withheld, disallowed, forbidden, opt out, opted out, disabled, unchecked, off, never, switched off, turned off, not obtained, no response, deaktiviert, ausgeschaltet, aus, desactive, desactivee, desactivado, desactivada, disattivato, disattivata, desativado, desativada, uitgeschakeld, uit, wylaczony, wylaczona, wylaczone, avstangd, slaet fra, slatt av, pois, kapali, vypnuto, vypnuty, kikapcsolva, oprit, выключена, выключено, отключена, отключено, ohne, abgelehnt, verweigert, widerrufen, nicht erteilt, refuse, refusee, rechazado, rifiutato, recusado, geweigerd, odmowa, nekad, afvist, hylatty, reddedildi, отказ, отказано, отозвано, keine, keiner, keines, aucun, aucune, ninguno, ninguna, nessuno, nessuna, nenhum, nenhuma, hicbiri, никакой, никакая, niciunul, niciuna, zadna, zadne, ningun, geen, ingen, inget, zadny, nothing, nichts, rien, nada, niente, none of these, none of the above, not at all, no way, nope, nah, rather not, please no, lieber nicht, liegt nicht vor, nicht vorhanden, fehlt, missing, ret, kielletty, evatty, otillatet, ikke tilladt, ikke tillatt, 不可, 미동의, नहीं, negato, no acepta, non accetto, nao aceito, не согласен, не согласна, 配信しない, לא מאשר';
const AFFIRMATIONS =
  'granted, obtained, provided, doi, soi, coi, opted, switched on, turned on, consent, consented, with consent, 동의, 同意, 希望する, agreed, agree, accepted, accept, akzeptiert, erlaubt, genehmigt, allow, allowed, zulassen, autoriser, autorise, permitir, permitido, consenti, consentito, toestaan, toegestaan, zezwalaj, zezwol, tillat, tillad, salli, povolit, povoleno, engedelyezes, engedelyezett, разрешить, разрешать, дозволити, permite, izin ver, 允许, 允許, 허용, given, enabled, checked, eingeschaltet, einwilligung liegt vor, active le, obtenu, donne, accordee, otorgado, concedido, concedida, firmado, firmada, dado, prestato, concesso, espresso, attivato, ativado, activado, gegeven, verleend, ingeschakeld, udzielona, wyrazona, wlaczony, wlaczona, givet, givit, gitt, annettu, paalla, udelen, udeleno, zapnuto, megadva, bekapcsolva, acordat, var, verildi, acik, получено, дано, включено, включена, δοθηκε, あり, 有, 有り, 済, 済み, する, 同意する, 同意します, 希望します, 許可, 許可する, 受け取る, 受信する, 要, 登録済, 登録済み, オン, 愿意, 願意, 开启, 開啟, 订阅, 訂閱, 수신, 수신함, 동의함, 받음, ok, okay, express, implied, explicit, erteilt, zugestimmt, eingewilligt, accorde, accepte, acepta, aceptado, accettato, aceito, akkoord, zgoda, godkant, godkendt, onayli, sure, of course, absolutely, yep, yeah, yes please, naturlich, gerne, ja bitte, bien sur, claro, por supuesto, certo, certamente, liegt vor, vorhanden, double, single, verified double, onay, 可, có, हाँ, 配信する, 配信, confirmed, verified, bestatigt, confirme, confirmado, confermato, bevestigd, potwierdzony, согласен, согласна';

const YES =
  'taip jah bai true yes 1 y t on x ja oui si sim tak kylla はい wahr vrai verdadero vero verdadeiro waar prawda tosi sant sann sand dogru pravda igaz adevarat истина істина αληθες da да ano igen evet ναι j o s v כן نعم ใช่ ya + ○ 〇 ◯ ◎ ✓ ✔ √ ☑ ✅ 👍 是 예 네';
const NO =
  'false no - \u2212 \u2013 nu 0 n f off nein non nao nie ei nej nei nee いいえ falsch faux falso onwaar falsz epatosi falskt falsk usann yanlis nepravda hamis fals ложь хибність ψευδες нет ne nem hayir όχι οχι לא لا ไม่ khong tidak ✗ ✘ ☐ ❌ ❎ 👎 🚫 ⛔ 否 아니요 아니오 ні ні';

/** The meaning of a word in a column about consent. The keys come from `wordLookupKey`. */
export const STATE_WORDS = tableOf([...CLEAR, ...CONSENT_COLUMN_WORDS]);
/**
 * The meaning of a word under any header. In this table `bounced` only skips the person; only words such as `hard
 * bounce` suppress the address.
 */
export const CLEAR_WORDS = tableOf([...HELD_BACK, ...CLEAR]);

const PLAIN_YES = [...YES.split(' '), ...wordsOfFurtherLanguages('yes').split(',')];
const PLAIN_NO = [...NO.split(' '), ...wordsOfFurtherLanguages('no').split(',')];
const YES_OR_NO_BY_WORD: ReadonlyMap<string, boolean> = new Map([
  ...[...AFFIRMATIONS.split(','), ...PLAIN_YES].map((word): [string, boolean] => [wordLookupKey(word), true]),
  ...[...DENIALS.split(','), ...PLAIN_NO].map((word): [string, boolean] => [wordLookupKey(word), false]),
]);
/** All words for yes and no that begin with a letter, as lookup keys. */
export const ANSWER_WORDS: readonly string[] = [...YES_OR_NO_BY_WORD.keys()].filter((word) => /^\p{L}/u.test(word));
const PLAIN_YES_AND_NO: ReadonlySet<string> = new Set([...PLAIN_YES, ...PLAIN_NO].map(wordLookupKey));
const AMBIGUOUS = wordSet([MAYBE_NO_WORDS]);
const GENERIC = wordSet([GENERIC_YES, GENERIC_AGREEMENTS]);

/** True for a status word, even if svc must ask which state it means. */
export function isStateWord(text: string): boolean {
  const word = wordLookupKey(text);
  return STATE_WORDS.has(word) || INACTIVE_WORDS.has(word) || OPEN_WORDS.has(word);
}

/** True for a word that may mean `subscribed` but does not mention mail: `active`, `ok`, `enabled`. */
export function isGenericYes(text: string): boolean {
  return GENERIC.has(wordLookupKey(text));
}

/** True for a word that means yes or granted, false for one that means no or denied. Undefined for other texts. */
export function readYesNo(text: string): boolean | undefined {
  return YES_OR_NO_BY_WORD.get(wordLookupKey(text));
}

const CROSS = /^[✗✘❌❎]\ufe0f?$/u;
const REFUSING_SYMBOL = /^[⛔🚫]\ufe0f?$/u;

/** True for a cross or a refusing symbol that may mean more than no: lists also mark opted-out people with it. */
export function mayBeMark(text: string, { hasYes }: { readonly hasYes?: boolean }): boolean {
  return REFUSING_SYMBOL.test(text) || (!hasYes && CROSS.test(text));
}

/** True for a plain yes or no, such as `ja` or `0`. Only the header shows what it means. */
export function isPlainYesNo(text: string): boolean {
  return PLAIN_YES_AND_NO.has(wordLookupKey(text));
}

/** True for a word that means no in one language and something else in another. */
export function mayMeanNo(text: string): boolean {
  return AMBIGUOUS.has(wordLookupKey(text));
}

/** Words from sales, shops and helpdesks, such as `won` and `shipped`. Under `Status` they are not about mailing. */
const BUSINESS = wordSet([
  'open, new, working, contacted, not contacted, open not contacted, working contacted, attempted to contact, connected, in progress, nurturing, nurture, qualified, unqualified, disqualified, converted, closed converted, closed not converted, closed, closed won, closed lost, won, lost, customer, lead, prospect, opportunity, open deal, bad timing, evangelist, partner, supplier, vendor, mql, sql, marketing qualified, sales qualified, warm, hot, cold, trial, trialing, paid, unpaid, free, premium, past due, vip, gold, silver, bronze, member, guest, employee, student, shipped, delivered, processing, completed, complete, refunded, fulfilled, unfulfilled, on hold, draft, published, solved, resolved, single, married, divorced, widowed, full time, part time, pending payment, hired, applied, interview',
]);

export function isBusinessWord(text: string): boolean {
  return BUSINESS.has(wordLookupKey(text));
}

/** The words of these lists as look-up keys. In a list a comma stands between two words. */
export function wordSet(lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list.split(',')).map(wordLookupKey));
}

function tableOf(lines: readonly (readonly [StatusReading, string])[]): ReadonlyMap<string, StatusReading> {
  return new Map(
    lines.flatMap(([status, words]) =>
      words.split(',').map((word): [string, StatusReading] => [wordLookupKey(word), status]),
    ),
  );
}
