import { plainWordsOf } from '../cells/compounds.ts';
import { OPT_OUT_WORDS } from '../other-columns/opt-out-words.ts';
import { isLimitedMail } from '../sentences/limited-mail.ts';
import { mentionsEnd } from '../words/end-words.ts';
import { hasNegation, isUnwilling, mentionsMail, REFUSING_VERBS, statesRightToLeave } from '../words/phrases.ts';
import { wordsOf } from '../words/plain-words.ts';
import { OTHER_STATUS_WORDS } from '../words/status-headers.ts';
import { isPlainYesNo, readYesNo, wordLookupKey } from '../words/value-words.ts';
import { compileWords, wordPattern, wordStartPattern } from '../words/word-patterns.ts';
import { businessIn } from './header-subjects.ts';
import {
  CUSTOMER_MAIL_WORDS,
  ENDED_WORDS,
  EVENT_COUNT_WORDS,
  EVENT_MAIL_WORDS,
  FORECAST_WORDS,
  LINK_WORDS,
  ORDINARY_WORDS,
} from './header-words.ts';

const MAILING_AFTER_END =
  'newsletters?|nl|mailings?|e?_?mails?|subscriptions?|subscribers?|consent|abo|abonnement|anmeldung|nieuwsbrief|infolettre|boletin|nyhetsbrev|nyhedsbrev|biuletyn|zpravodaj';
// Words that turn an agreement into a refusal or an end: `newsletter_out`, `desubscribed`. `mentionsEnd` and
// `hasNegation` know further ones. Some are ordinary words too, so svc asks about a header with one of them.
const CONTRARY_WORDS = wordStartPattern(
  'end$ ends$ exit$ out$ off(?=_(?:the_)?(?:mailing_)?list|$) hold$ failed failure skip unwant lost(?=_|$) pending(?=_|$) outstanding(?=_|$) restrict forg[eo]t ban(?:ned)?(?=_|$) disabl doesnt(?=_|$) dont(?=_|$) (?:do|does|don|doesn|wo|won|ca|can)_(?:no)?t(?=_|$) wont(?=_|$) cant(?=_|$) cannot(?=_|$) unable was_sub was_opt previous former(?=_|$|l) ex(?=_|$) quit$ outdated aufgehoben veraltet terminee?(?=_|$) depassee?(?=_|$) objects?(?=_|$) uninterest minus(?=_|$)',
  '(?:consent|consentement|consens[oi]|consentimi?ento|consimtamant(?:ul)?|newsletter|subscription|abonnement|iscrizione|suscripcion|согласие|подписка)_(?:is_|e_|est_)?(?:over$|finished|concluded|fini(?:e|t[oi])?|conclus[oi]|concluid[oa]|incheiat|завершен[ао]?|завершил[оа]сь)(?=_|$)',
  `(?:finished|concluded|done|retired|silent|quiet|late|out|off|over|past|expired|stale|weg|uit|aus|fertig|afgelopen|voorbij|slut|klar|konec|koniec)(?=_(?:${MAILING_AFTER_END})(?:_|$))`,
  'offen(?=_|$) abm(?=_|$) aus$ gesp(?=_|$) verbot widersprech fin(?=_|$) plus_de recus exclus nessun nechc nechte nem(?=_|$) en_halua yok(?=_|$) istemi',
  `${REFUSING_VERBS} lehnt(?=_) afvis afslar avboj avslar avstar frabed frasag tackar_nej takke[rt]?_nej sagt?_nej nej_(?:tack|tak|takk|til|till)(?=_|$) reserverar reserverer reserveret odmow nekta kielta visszauta elutasit respin rehus nega(?=_) niega nie_zycz nie_wyraz nezeli `,
  'oppos (?:un|dis?|des?|ex|non)_?(?:sub|sus|abo(?!ut)|insc|isc|opt|consent|e?_?mail)',
  'frozen freez away$ hiatus ghosted eingefror ruht(?=_|$) ruhend gelee?s?(?=_|$) congelad congelat pausad bevror gepauz fryst fross?e[tn] zamroz dondur',
  'err(?:ors?|ores?|ori|os?|eurs?)(?=_|$) fehler fout(?=_|$) ошибк (?<!ok_)ko$',
  'forbid forbad prohibit barr(?:ed|ing)(?=_|$) disallow veto embargo withh[eo]ld halt(?:ed)?(?=_|$) ceas ditch ignor(?!an) omit exempt lock(?:ed|out)?(?=_|$) undesir silenc purge shun scrapp axed(?=_|$) culled nuked killed binned dumped averse denial disapprov dissent nay(?=_|$) unsolicit unwelcome unpermit kaput taboo',
  'verboten untersag unzulassig unerlaubt ausgeschl verwehr versagt eingestellt gestoppt zuruckgez stillgel vernein unterbund gekappt kontaktsperr interdi arrete stoppe(?=_|$) retiree?(?=_|$) proscri defendu rejete prohib denegad cesad detenid vetad negad[oa] restringid vietat proib negat[oa] fermat[oa] diviet interdett interrompid cessad recusad',
  'verboden verbod(?=_|$) opgeschort afgewezen zakaz zabron odrzuc zatrzym wstrzym wylacz forbj?ud nekad nekat uteslut borttag stoppad avslag(?=_|$) vagra[tr] n(?:ae|e)?gtet nektet udelukk fjernet afslutt avslutt sp(?:ae)?rr?et sparret kiellet estett lopetett evatt hylat',
  'silent$ quiet$ mute(?=_|$) hushed nil(?=_|$) null(?:ed)?(?=_|$) none(?=_|$) nothing$ lacking absent$ turned_down waive[dr]? renounc renunciation abandon abort avoid disengag unengag disconnect dismiss detach eject expel expulsion forsak fled(?=_|$) interrupt neglect obsolete ousted parked(?=_|$) recant relinquish repeal repelled retired$ reversed scrubbed separated severed shelved shut(?=_|$) stale(?=_|$) sunset(?:ted)?$ tired$ fatigue$ unavailable$ unchecked unfollow undone unhappy unlist deregist unregist untick unwilling vacated void(?=_|$|ed) wiped against$ less$ later$ over$ done$ finished$ old$ bad$ broken$ kill(?=_|$) cut(?:_?off)?$ logoff opt(?:ed)?_down negative neg$ nix(?:ed)?(?=_|$) prevented(?=_|$) hinder obstruct banish blackball boycott spurn evicted exiled? outcast attrition disagree (?:newsletter|marketing|mail|ad)_?free$ (?:werbe|mail|newsletter_?)frei',
  'stumm abgesagt abgestellt abgeschaltet abgewahlt abgebrochen abgeschlossen abgesetzt abgesprungen abgewiesen zuruckgewies getilgt verloren(?=_|$) verschmaht verzicht vermieden ungewollt unmoglich ausgeschied ausgestieg ausgeblendet enthoben geschlossen(?=_|$) getrennt genervt lastig niemals nimmer(?=_|$) nichts(?=_|$) nein$ stopp(?=_|$) ausstieg abwahl absage dagegen satt$ unterdruck unterlass unterbroch fehlgeschl vorbei zu_ende abweis',
  'sortie?s?(?=_|$) finie?(?=_|$) clos(?=_|$|e) clotur coupee? retrait$ retrait_(?:de_la_|de_)?(?:newsl|lettre|e?_?mail|list|abon) rejet(?=_|$) radiation rayee? barree? blocage abandon cesse absente?(?=_|$) aucune?(?=_|$) jamais$ rien$ contre$ renonc ecarte enlevee? muet indesirable denonc evitee? perdue?(?=_|$) contra$ contro$ parad[oa]$ acabad[oa] cerrad[oa] cortad[oa] suprimi retirad[ao](?=_|$) negativ[oa] expuls deshabilit desapunt renuncia perdid[oa] ausente falta$ nunca(?=_|$) nada$ ningun[oa]?(?=_|$) opuest opone(?=_|$) devuelt indesead olvidad salida(?=_|$) salio(?=_|$) abandono descartad evitad[oa]',
  'fermo$ fine$ finit[oa](?=_|$) chius[oa] tagliat sopress soppress rimozion tolt[oa] ritiro(?=_|$) esclusion espuls in_pausa disabilit rinunci pers[oa]$ assente niente$ nulla$ indesidera silenziat dimenticat inattiv uscit[oa](?=_|$) scartat recesso fim$ remoc rejeitad desist renunc nenhum opost[oa] oposic indesejad esquecid inativ saida(?=_|$) saiu(?=_|$) devolvid desligad',
  'einde$ afgelopen gesloten afgesloten geknipt afgezegd afgekeurd afgeblaz afgebrok geschrapt weggehaald weg$ eruit$ uit$ verworpen ontzegd blokkade onderbrok intrekking herroep verlor(?:en)? nooit(?=_|$) niets(?=_|$) nee$ tegen(?=_|$) ongewenst genegeerd vergeten(?=_|$) vertrokken gestaakt losgelat losgekop koniec skonczon zamkniet skreslon wykreslon blokada wykluczen zawieszon przerwan utracon nigdy(?=_|$) nic(?=_|$) zad(?:en|na|ne)(?=_|$) przeciw niechcian niepozadan porzucon',
  'slut$ stangd stangt avbrut avbestall avvisa avsl[ao]g avsagd avsagt avslaget raderad struken uppsag vagrad vilande installd forlorad ingen(?=_|$) inget(?=_|$) inga(?=_|$) aldrig(?=_|$) nej$ oonska lamnat bortval uonske aflyst avlyst afbrudt avbrutt lukket fravalg bortfald',
  'vylouc odstran ukonc yasak reddedil durdurul запре[щт] исключ прекра[щт] заборон tilto(?=tt) tilos letilt torolve leallit interzis refuzat blocat sters(?=_|$) oprit(?=_|$) απαγορ забран zabranj dilarang keeld',
  'hors(?=_(?!serie)) fara(?=_) nu_(?=trim|contact|mai_) nelkul atma(?:yin)?$ gonderme(?:yin)?$ yollama(?:yin)?$ bultensiz(?=_|$) mailsiz(?=_|$) e_?postasiz(?=_|$) iletisiz(?=_|$) χωρις(?=_) οχι(?=_) khong(?=_) tidak(?=_) jangan(?=_) bez(?=_)',
);
const CONTRARY_IN_OTHER_SCRIPTS =
  /(?:同意|许可|許可)(?:到期|逾期)(?!日|[时時]|[间間])|안함|안 함|미동의|不要|停止|不可|拒|禁|不(?:发|發|收(?!费|費))|(?<![特分個个級级])[别別](?:发|發|寄)|勿(?:发|發|寄)|[无無](?:邮|郵)|금지|(?:^| )안 |ممنوع|(?:^| )لا |بدون|אסור|ללא|אין /u;

// Words for mailings. A header with nothing but such a word is no agreement, but a yes and a no below it say who wants
// mail.
const MAILING_WORDS = wordStartPattern(
  'news(?=_|$) newsl nletter nl(?=_|$) e?zine e?blast e?comms?(?=_|$) e?bulletin communicat marketing mktg subs?(?=_|$) mailshot mailer(?=_|$) rundmail werbemail zusendung anschreib einverstand einw(?=_|$) rcv_ contactab emkt',
  'correio(?=_|$) courrier_elec envois?(?=_|$) enviar envios?(?=_|$) invio(?=_|$) notiziario circolar lettre listas?(?=_|$) boletim boletin aviso consien mala_direta biuletyn wysyl zpravodaj rozesil odebir levelezo kuldhet postitus tiedott ticari bildirim gonder posilat zasil trimit kommunikation nieuwsbr nb(?=_|$) mailinglijst',
  'συνδρομ εγγραφ съглас абонир',
);
const MAILINGS_IN_OTHER_SCRIPTS = /电子报|群发|النشر/u;
// Matches headers in which list, post or mail does not mean a mailing, such as `Waiting list`.
const NO_MAILING =
  /(?:^| )(?:\d+|has|html|wait|waiting|wish|price|guest|check|play|todo|to do|packing|short|back|mail(?:ing)? address|opened|opens|clicked|clicks|read|bounced?|received|sub ?(?:total|category|type|region|group|title|account)s?|stop|server|provider|domain|client|app|merge|verified|valid)(?= |$)/u;

// Short headers and abbreviations for people who opted out, were refused or can't be reached: `gesp`, `uns`. In cells
// they count only as a whole note, and then svc asks.
const BRIEF_ENDS = wordPattern(
  'hold out taken_off take_off struck_off struck ndr mailer_daemon failed failing ban banned trash papierkorb corbeille papelera cestino prullenbak kosz lixeira papperskorg papirkurv denied rescinded uns del erase forget forgotten unwanted uninterested not_valid not_active not_wanted doesnt_want off_since withdrawal year_of_death estate_of cant_mail d_o_d left(?:_the)?_organi[sz]ation',
  'gesp gel gestrichen streichen raus weg ausgetr abgem abm abganger? abbest gekund ausgesch unzust ruckl retoure ungult unbek ehem tot verst stillgelegt fehlerhaft verweigert abgelehnt nicht_mehr gest tod todestag sterbejahr kontaktverbot',
  'ko npai dcd desab desinscr radiation demission quittee? sorti sortie depart retrait ancien ancienne rejet rejete deces invalide errone plus_d_?envoi droit_a_l_?oubli fin',
  'quitar quitado retirado erroneo salio salida renuncia desactivado suprimido desapuntado fallecimiento disiscr canc cancellazione recesso errata respinta uscit[oa] dimesso dimissioni disattivato decesso remover retornou saida oposicao desativado obito',
  'uitschr onbestelbaar ongeldig vertrokken geweigerd ex_lid vergetelheid overlijden slett reservert reservasjon returnert ugyldig stoppet raderas studs ogiltig poista virheellinen uttrade',
  'stop_(?:the_|all_)?(?:campaigns?|promos?|promotions?|offers?|blasts?|drips?|sequences?|automations?|journeys?|flows?|nurture|updates?|sends?) (?:do_not|dont)_(?:push|ping|chase|nag|pitch|upsell|notify|inform|bother|pester|harass|nurture|invite|sync|import|migrate|transfer|export|upload|remarket) (?:nicht|nicht_mehr)_(?:informieren|benachrichtigen|bewerben|beliefern|belastigen|importieren|ubernehmen|migrieren|einladen)',
  'ne_p(?:as|lus)_(?:inviter|informer|relancer|importer|deranger|demarcher|prospecter) no_(?:invitar|informar|importar|notificar|avisar|migrar) non_(?:invitare|informare|importare|avvisare|notificare) nao_(?:convidar|informar|importar|avisar|notificar|incomodar) niet_(?:uitnodigen|informeren|importeren|overnemen|lastigvallen) nie_(?:zapraszac|informowac|importowac|powiadamiac|przenosic) (?:bjud|inbjud|informera|meddela)_(?:ej|inte)(?:_in)? inviter_ikke ikke_inviter inte_(?:bjuda|informera|meddela) ala_kutsu',
  'demise exitus morreu overl teruggekomen rispedito non_(?:consegnato|recapitato) devolucao devolucoes studsat palautus cessazione cese odejscia raye opt(?:ed)?_down versandstopp kontaktstopp infostopp werbefrei ad_free marketing_free se_fue no_longer_with_company left_org',
  'purged purge_(?:date|at|on|flag) (?:date|fecha|data|datum)_(?:of_|de_|di_)?purg[ea] wiped_(?:at|on) scrubbed_(?:at|on) redacted_(?:at|on) redaction_date date_of_exit (?:listen|daten|adress)bereinigung bereinigungsdatum bereinigt_am uittreding uittredingsdatum wyjscia wystapienia odchodu izlaska izlazak izstopa? iesirii iesire выход[а]? виход[уа]? вихід αποχωρησης? fratraeden fratradelse uppsagningsdatum utgangsdatum eroamispaiva eroamispvm eroaminen poistumispaiva ayrilis',
  'barred desistiu avgatt fratradt eroaika eropvm erotettu surnud difunt latinn meninggal keluar berhenti da_roi ha_marxat',
  'plecat[ai]? incetat zgon odes(?:el|la) kizarva napusti(?:o|la) umr(?:o|la) otis(?:ao|la) mire miris aizgajis isejo вышел вышла вийшов вийшла напуснал[аи]? починал[аи]? εφυγε',
  'wypisz skreslony cofniet[ay] odhl odvolan namitka umrti smierci smrti leiratk lemondta torol tiltakozas hibas visszapattant kilepes cikti sil engelli ret gecersiz hatali sikayet cikis olum refuza radiat стоп чс смерт[ьи] смърт θανατος ακυρο',
  'niet_(?:sturen|verzenden) geen_verzending pas_d_?envois? nao_(?:mandar|enviar) nepsat neposilat neposli ne_(?:irj|keresd|salji|slati|zeli_post[uo]) nincs_level brez_e_?poste nu_contacta rahatsiz_etme(?:yin)? bez_korespondencji neoslovovat ilman_postia ei_laheteta jangan_kirim hindi_padalhan ne(?:at)?siusti nesutit mitte_saata arge_saatke mos_dergo να_μη_σταλει μην_στελνετε не_(?:надсилати|изпращай|шаљи) без_имейли',
  'defuncion data_morte halal_datuma decesului datum_vystoupeni выбыти[ея] θανατου',
);
// Words for a ban. Beside a word about something else they mean no end of mail: `Smoking prohibited`.
const BANS = [
  'forbidden|prohibited|disallowed|vetoed|embargo(?:ed)?|withheld|ceased|halted|opposed|purged|frozen|verboten|untersagt|unzulassig|unerlaubt|verwehrt|unterbunden|interdite?',
  'proscrite?|prohibid[oa]|prohibicion|vetad[oa]|denegad[oa]|vietat[oa]|divieto|proibi(?:to|ta|do|da|cao)|verbod|zakaz(?:ano|any|ana)?|zabronion[yae]|forbjud(?:en|et)|forbudt|kielletty|yasak(?:landi)?|tiltott|interzis|запре(?:щен[оаы]?|т)|restricted|recusado|denied|refused|declined|rejected',
].join('|');
const ONLY_BAN = compileWords(`^(?:${BANS})$`);
const ONLY_WORDS = `archivee?|silent|silenced|lost|late|cleaned|estate|excl|exkl|moved|skip|karteileichen?|lock(?:ed)?|lckd?|blkd?|supp?r?|inact|no ?em|no ?ml|ignor(?:e|ed|er|ar|are|iert?|ieren|eren)|${BANS}`;
const BESIDE_BAN =
  'is|has|account|acct|user|contacts?|kontakt|contact[oa]|contatt[oi]|contatos?|record|profile|konto|correio|person|customer|kunde|client|cliente|klant|member|mitglied|updates?|offers?|angebote|offres|ofertas|offerte|comms?|communications?|outreach|e|e?mails?|by|to';
// Words that mean an end only if they are the whole header, or stand beside words for a person, a contact or mail.
// `Real estate` does not match.
const ONLY_ENDS = compileWords(
  `^(?:(?:${BESIDE_BAN}) )*(?:${ONLY_WORDS})(?: (?:at|on|since|date|flag|flg|kz|am|le|op|${BESIDE_BAN}))*$`,
);
const BRIEF_END_IN_OTHER_SCRIPTS =
  /[†✝]|不要|不寄送|[请請]勿(?=发|發|寄|送|联系|聯繫|打扰)|送信(?:禁止|しない)|^取消日期$|عدم (?:الإرسال|الارسال|التواصل)|لا إرسال|ممنوع الإرسال|انسحاب|פטירה|אין לשלוח|ללא מיילים|ไม่ส่ง|मत भेजो|エラー|거부|^(?:休会|退部|退団|脱会|脱退|退塾|휴회)(?:日|中|済み?|者|フラグ|일)?$|没年|忌日|退出日|退出日期|離脱日?$|匿名化|离职|離職|停用|להסיר|إلغاء|الغاء|وفاة|(?<!\p{L})(?:غادر|فوت)(?!\p{L})|ลาออก|^ยกเลิก$|^h(?:ủy|uỷ)$/iu;

/**
 * True if the words are only a short word for people who left or can't be reached, with or without a date after it:
 * `weg`, `gest 2021`. As a whole note it may mean the same as in a header. `d 2021` is the year of a death.
 */
export function isBriefEnd(words: string): boolean {
  const rest = words.replace(/(?: \d+){1,3}$/u, '');
  const isEnd = [BRIEF_ENDS, ONLY_BAN, BRIEF_END_IN_OTHER_SCRIPTS].some((ends) => ends.exec(rest)?.[0].trim() === rest);
  return isEnd || DEATH.exec(words)?.[0].trim() === words;
}

/** True if some of the words say that the person died: `decd all`, `all d 1911`. */
export function mentionsDeath(words: string): boolean {
  return DEATH.test(words);
}

const DEATH = /(?:^| )(?:(?:d|ovl|zm|ум) (?:\d\d? ){0,2}(?:19|20)\d\d(?: \d\d?){0,2}|dcd|decd)(?= |$)/u;

/**
 * True for the words of a header or a cell that contain a contrary word: `gdpr_delete`, `Newsletter stop`,
 * `desubscribed`. If the header is about agreement, a yes under it may be a refusal.
 */
export function contradictsItself(words: string): boolean {
  if (statesRightToLeave(words) || EVENT_MAIL_WORDS.test(words) || words.split(' ').length > LONGEST_CONTRARY) {
    return false;
  }
  return (
    [CONTRARY_WORDS, CONTRARY_IN_OTHER_SCRIPTS, ENDED_WORDS].some((contrary) => contrary.test(words)) ||
    isLimitedMail(words) ||
    mentionsEnd(words) ||
    hasNegation(words)
  );
}

// A header with more words is a sentence about consent, in which a contrary word can belong to something else.
const LONGEST_CONTRARY = 9;

/** True for a header that may name mailings, with or without an agreement: `Email YN`, `Versand`, `marketing_ban`. */
export function mayNameMailings(header: string): boolean {
  const words = wordsOf(header);
  const isAbout = mentionsMail(words) || MAILING_WORDS.test(words) || MAILINGS_IN_OTHER_SCRIPTS.test(words);
  return (
    isAbout &&
    !NO_MAILING.test(words) &&
    !CUSTOMER_MAIL_WORDS.test(words) &&
    !EVENT_COUNT_WORDS.test(words) &&
    !LINK_WORDS.test(words)
  );
}

/**
 * True for a short header about people who opted out, died or can't be mailed: `Out`, `Mail KO`, `Gesp.`. A tick or a
 * date under it may be an opt-out.
 */
export function mayMeanOptOut(header: string): boolean {
  const words = plainWordsOf(header).replace(TIME_WORD, '').replace(PERSON_WHO_LEFT, '');
  if (isLimitedMail(words)) {
    return true;
  }
  if (
    words.split(' ').length > MAX_WORDS ||
    NOT_AN_END.test(words) ||
    FORECAST_WORDS.test(words) ||
    businessIn(words) !== undefined
  ) {
    return false;
  }
  const meansEnd =
    OPT_OUT_WORDS.other.has(wordLookupKey(header)) ||
    (readYesNo(header) === false && !isPlainYesNo(header)) ||
    mentionsEnd(words) ||
    isUnwilling(words);
  const isAboutOtherStatus = ORDINARY_WORDS.test(words) || OTHER_STATUS_WORDS.test(words);
  return (
    BRIEF_ENDS.test(words) ||
    ONLY_ENDS.test(words) ||
    BRIEF_END_IN_OTHER_SCRIPTS.test(header) ||
    (meansEnd && !isAboutOtherStatus)
  );
}

const MAX_WORDS = 4;
// Matches the word for a time beside a word for an end: `Year left`, `Quit since`.
const TIME_WORD = /^year (?:of )?| (?:year|jahr|since)$/u;
// Matches a person before a word for an end: `Customer left`, `Has the user left`. Only the word for the end then
// counts.
const PERSON_WHO_LEFT =
  /^(?:has |is )?(?:the )?(?:customer|client|user|donor|patron|student|applicant|candidate|prospect|owner|staff)(?: member)? (?:has |is )?(?=(?:left|gone|quit|resigned)$)/u;
// Matches words that only look like a word for an end: returned goods, days off, `Credits left`, `Check-out`. Also
// matches soft bounces, which do not count (C6).
const NOT_AN_END =
  /^soft |^(?:check|time|log|logged|sold|work|night|day|carry|eat|clock) out|^out (?:of (?:office|town|state|stock|hours)|for delivery)|^left (?:eye|ear|hand|foot)|^left (?:a )?(?:review|message|voicemail|comment|tip)s?$|^(?:review|message|voicemail|comment|tip)s? left$|^returned (?:form|survey|equipment)s?$|^failed (?:exam|payment|login)s?$|(?:annual|parental|sick|maternity) leave|^leave (?:balance|days?|type|request)s?$|credit hold|kick off|drop off (?:point|time|location|date)|greeting|falschpark|loschzug|loschgr|loschfahr|goods|item|book|key|deposit|day off|time off|ruckgabe|\p{L}\p{L}[^su ]s left|(?:balance|budget|amount|money|vacation|cash) (?:left|out)/u;
