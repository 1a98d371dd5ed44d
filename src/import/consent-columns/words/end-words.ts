import { withoutTime } from '../cells/days.ts';
import { isLeftPhrase, saysEndOfMail } from '../sentences/left-phrases.ts';
import { isLimitedMail } from '../sentences/limited-mail.ts';
import { wishesForPeace } from '../sentences/wishes-for-peace.ts';
import { isHedgedRefusal } from './hedged-refusals.ts';
import { withoutBlanks, wordsOf } from './plain-words.ts';
import { AFTER_SPERR } from './status-headers.ts';
import { CLEAR_WORDS, STATE_WORDS } from './value-words.ts';
import { compileWords, wordPattern, wordStartPattern } from './word-patterns.ts';

// Beginnings of words about an end of a subscription, an address or a life (`left`, `deceas`), and about bounces,
// blocks and complaints.
const END_WORDS = wordStartPattern(
  'rip(?=_|$) left(?=$|_(?!hand|(?:a_)?(?:voice|message|vm)|side|over)) leave(?!_(?:until|till|from))(?=_|$|s_|s$) quit cancel remov delet eras struck strike(?=_|$) drop(?:ped|s)?(?=_|$) tak(?:e|en)_(?:\\S+_)?off off(?=_(?!ice|er|season)|$) stop(?:s|ped)?(?=_|$) dead(?!lin|lift|lock) decease die[ds](?=_|$) passed death gone(?=_|$) closed(?!_(?:the_)?deal) complain refus reject declin withdr revok revoc object(?:s|ed|ion)(?=_|$)',
  'bounc came_back undeliver invalid wrong unknown not_exist doesnt_exist no_such no_existe block black_?list banned robinson dnc dne dnm oo(?=_|$) never(?=_again|$) resign terminat expired ended inactive kicked suppress ex(?=_|$) former churn forgotten lawyer threat annoy harass hates? angry no_address',
  `weggezog umgezog kontaktsperr belastig losch gelosch streich gestrich raus(?=_|$) entfern austr[ei]t austrag ausgetr gekundig kundigung abgemeld abgem(?=_|$) abmeld abbestell widerr widerspr unerwunsch verstorb gestorb tot(?=_|$) verzogen ungultig existiert_nicht falsch zuruck(?=_|$) rucklauf unzustell gesperr sperr(?!${AFTER_SPERR}) beschwer storn beend inaktiv ehemalig`,
  'demenage se_mudo mudou_se harcel desinscri desabo resili(?!en) demission dimess dimission supprim radie deced n_?existe_(?:pas|plus) fauss?e? errone retour plainte opposition effac parti(?=_|$) mort(?=_|$) bloqu annul baja borr(?:ar|ad) elimin fallec incorrect rebot queja retirar anul',
  'non_esiste nao_existe bestaat_niet errat respint disdett rimuov rimoss blocc disiscri falec errad devolv reclam exclu sair(?=_|$) saiu verwijder overled onjuist klacht opgezegd geblok afgemeld uitgeschr gestopt ongeldig',
  'nie_istniej wypis usun odszed wystapi zmarl zly(?=_|$) zwrot skarg rezyg odmow zablok ta_bort avlid fel(?=_|$) retur klag avslut sparr slett dod(?=_|$) afdod avregistr avmeld frameld poist kuoll vaara silin sil(?=_|$) iptal vefat yanlis iade sikayet engel geri_don ayril cikti',
  'neexist odhlas smaz zemr spatn vracen stizn zrus blokov nedoruc odvol не_существ отказ удал умер неверн возврат жалоб заблок отпис отозв закрыт выбыл больше_не не_беспок',
);
// Words like `END_WORDS`, in Chinese, Japanese, Korean, Hebrew and Arabic.
const END_IN_OTHER_SCRIPTS =
  /退会|解約|不要|死亡|不明|削除|停止|苦情|拒否|戻り|解除|中止|返送|退订|删除|投诉|去世|拒绝|탈퇴|삭제|거부|사망|반송|해지|נפטר|הוסר|חסום|متوفي|حذف|رفض/u;

/** True if one of the words is about an end, such as `left`, `dead` or `cancelled`. */
export function mentionsEnd(words: string): boolean {
  return END_WORDS.test(words) || END_IN_OTHER_SCRIPTS.test(words);
}

/** Matches a symbol for a death. */
export const DEATH_SYMBOL = /[†✝✞]/u;

// Matches a cell with only symbols, one of which refuses or crosses out: `🚫`, `❌❌`.
const ONLY_REFUSING_SYMBOLS = /^[^\p{L}\p{N}]*[✗✘✖❌❎⛔🚫🛑🙅👎☠💀🗑🔕📵][^\p{L}\p{N}]*$/u;

const SUBSCRIBER =
  '(?:subscribe[dr]s?|subs|abo|abonn\\p{L}*|prenumer\\p{L}*|abonent\\p{L}*|suscri\\p{L}*|iscritt\\p{L}*|inscri\\p{L}*|tilaaj\\p{L}*|assinant\\p{L}*|subskryb\\p{L}*|odberatel\\p{L}*|подписчи\\p{L}*|購読者|订阅者|구독자)';
// Words for an earlier time. `EARLIER` stands before `subscriber`. `EARLIER_TIME` stands in brackets beside the name of
// a list, and `EARLIER_ADVERB` before that name.
const WAS_OR_FORMER = 'was|war|etait|era|foi|var|once|former(?:ly)?|ehem|fruher|voormalig|entinen|byl[aiy]|бывш\\p{L}*';
const EARLIER_ADVERB =
  '(?:previously|anciennement|antiguamente|antigamente|voorheen|vroeger|tidigare|tidligere|dawniej|eskiden|раньше)';
const EARLIER = `(?:${WAS_OR_FORMER}|${EARLIER_ADVERB}|had been|ex|old|past|lapsed|prior|earlier|previous|ancien(?:ne)?s?|precedent\\p{L}*|ehemalige?[rn]?|fruhere?[rn]?|vorherige?[rn]?|alte?r?|antigu?[oa]s?|vecchi[aeo]?|voormalige|oud|f ?d|entiset|byval[aeiy]|eks|이전)`;
// `old` is missing here, because it may mean the list.
const EARLIER_TIME = new RegExp(
  `^(?:${WAS_OR_FORMER}|${EARLIER_ADVERB}|were|used to(?: be| get)?|waren|ehemals|ehemalig\\p{L}*|etaient|avant|erano|antes|in passato|eram|forut|aiemmin|wczesniej|byl|byval\\p{L}*|korabban|inainte|был[аи]?)$`,
  'u',
);
// `was invited` says what happened, and names no group.
const EARLIER_GROUP = new RegExp(
  `^(?:used to (?:be|get|receive|subscribe|have)|${EARLIER_ADVERB}) \\S|^was (?!(?:here|there|\\S+(?:ed|en|ing))$)\\S+$`,
  'u',
);
// Refusals of a few words: `rather not`, `never again`, `no need`. They can't be the name of a list.
const BRIEF_REFUSALS = [
  '^(?:please )?(?:go away|stop (?:it|this|that))$|^not for (?:me|us)$|^(?:rather|prefer|better) not(?: to)?$|^(?:bitte|lieber) nicht$|^lass\\p{L}* (?:mich|uns) in ruhe$|^kein(?:en)? bedarf$|^pas (?:question|besoin)$|^arretez$|^no deseo$|^ilgilenmiyor\\p{L}*$|^не надо$|^отпишите(?: меня)?$|^(?:he |she |they )?sa(?:id|ys) no$|^(?:hat )?(?:sagt|sagte|nein) (?:nein|gesagt)$|^hat abgesagt$|^(?:a )?dit non$|^dijo (?:que )?no$|^ha detto (?:di )?no$|^disse (?:que )?nao$|^zei(?:den)? nee$|^(?:powiedzial[a]?|mowi) nie$|^(?:har )?(?:sa|sade|sagt|tackat|tackade|takket|takkede) nej$|^δεν θελω$|^torolj\\p{L}*$',
  '^(?:jamais|nunca|nooit|nigdy|aldrig|aldri|nikdy|soha|niciodata|никогда|ποτε|(?:plus|nunca|mai|nooit|nigdy|aldrig|aldri|soha|больше|uz) (?:jamais|mas|mais|piu|meer|wiecej|mere?|tobbe|никогда|nikdy)|ei (?:koskaan|ikina)(?: enaa)?|bir daha(?: asla)?|ποτε ξανα)$',
  '^(?:please )?(?:do not|dont)(?: ask)?$|^(?:не нужно|не нужна|не нужен|ненужно)$|^必要(?:なし|無し|ない|ありません)$',
  '^(?:hayir tesekkur\\p{L}*|ne dekuji|nem (?:kerem|koszon\\p{L}*|erdekel)|nu (?:multumesc|vreau|doresc)|нет спасибо|спасибо нет|οχι ευχαριστω)$|别再发|いりません|結構です|やめて(?:ください|下さい)|필요 ?없|원하지 ?않|관심 ?없',
].join('|');
// `unnecessary` refuses what a header asks for. As a note it says nothing about mail.
const UNNECESSARY = compileWords(
  '^unnecessary$|^(?:unnotig|uberflussig|hinfallig|unerwunscht)$|^(?:plus|pas) la peine$|^inutile$|^innecesari[oa]$|^onnodig$|^overbodig$|^niepotrzebn[yae]$|^zbedn[yae]$|^(?:onodigt|unodvendigt?|overflodigt?)$|^desnecessari[oa]$|^zbytecn[yea]$|^tarpeeton$|^gereksiz$',
);
const BRIEF_REFUSAL = compileWords(BRIEF_REFUSALS);
const CONSENT =
  'consents?|permissions?|opt ?ins?|einwilligung(?:en)?|zustimmung(?:en)?|consentement|consentimi?ento|consenso|toestemming|zgod[ay]|samtycke|samtykke|souhlas|согласие';
const MISSING =
  'missing|absent|expired|lapsed|lost|void|gone|outdated|fehl(?:t|ende)|verloren|abgelaufen|erloschen|ungultig|perdue?|expiree?|manquante?|perdid[oa]|caducad[oa]|vencid[oa]|scadut[oa]|pers[oa]|mancante|expirad[oa]|verlopen|kwijt|ontbreekt|wygas\\p{L}*|utracona|saknas|utgang(?:et|en)|mangler|udlobet|utlopt|vyprsel|chybi|истекло|потеряно';
// Matches a whole tag, or a whole clause of a note, that may be about a person who left: `was subscribed`, `consent
// missing`, `phone only`, `mailer daemon`.
const BRIEF_END = compileWords(
  [
    `^(?:${EARLIER}|ej|inte|ikke|nicht|non|pas) ${SUBSCRIBER}(?: \\d{4})?$|^(?:ex|eks|oud|non|元|旧|前) ?${SUBSCRIBER}$|^${SUBSCRIBER} (?:anterior(?:es)?|precedent\\p{L}*)$`,
    `^(?:${SUBSCRIBER}|newsletter|abo) (?:until|till|bis|jusqu|hasta|fino|ate|tot|til|indtil)(?: |$)`,
    `^(?:${CONSENT}) (?:(?:is|was|ist|est|ha|e|esta|er|ar) )?(?:${MISSING})$|^(?:${MISSING}) (?:${CONSENT})$`,
    '^(?:deabonniert\\p{L}*|ausgestiegen|leavers?|mailer daemon|списан\\p{L}?|配信不可|(?:mc|mailchimp) cleaned|gdpr forg[eo]t\\p{L}*)$',
    '(?:^| )(?:cease and desist|rtbf|right to be forgotten|demand\\p{L}* (?:a|d|de) etre (?:retir|supprim|effac|enlev|desabon|desinscri)\\p{L}*)(?= |$)',
    '(?:^| )demand\\p{L}* (?:le|son|leur) (?:retrait|desabonnement|desinscription)(?= |$)|^(?:plus|pas) concernee?s?$|(?:^| )no longer (?:wish|want)\\p{L}* to hear(?= |$)|(?:^| )wants? no part(?= |$)|^not to receive$|^(?:this is )?not (?:me|the right person)$|^(?:e ?mail )?address (?:is )?bad$|^bad address$|(?:^| )never asked for (?:this|it|them|these|any)(?= |$)|(?:^| )cease (?:all|any|every) (?:contact|communication|correspondence)s?(?= |$)',
    '(?:^| )(?:droit a l ?oubli|derecho al olvido|diritto all ?oblio|direito ao esquecimento|recht auf vergessen\\p{L}*|recht op vergetelheid)(?= |$)|(?:^| )s?oppos\\p{L}* (?:au|aux|a|a la) (?:demarchage|prospection|publicite|sollicitation)s?(?= |$)',
    `^${EARLIER} (?:employe|salarie|staff|mitarbeiter|collaborat|medewerker|werknemer|dipendent|emplead|funcionari|pracowni|anstalld|ansatt|medarbe|tyontekij|zamestnan|member|mitglied|membre|adherent|miembro|lid|leden|medlem|czlon|clen)\\p{L}*$`,
    '^(?:mail ?box|post(?:fach|vak|kasse)|boite(?: mail| aux lettres)?|bal|casella|buzon|caixa|skrzynka|inkorg\\p{L}*|schranka|inbox|ящик) (?:is |ist |est |e |esta |jest |over )?(?:voll|full|quota|pleine|piena|lleno|cheia|vol|pelna|fuld|fullt|plna|переполнен)$',
    // A request to delete what is stored about the person, and abbreviations with dots: `R.I.P.`, `D.N.M.`.
    '(?:^| )(?:delet|eras|remov|wip)\\p{L}* (?:(?:all|any|of|our|my|me|his|her|their|the|personal|customer) ){0,4}(?:data|details|records?|information)(?= |$)',
    '^(?:r i p|d n [cem]|n p a i|r t b f)(?= |$)',
    '^(?:please )?forget me$|^(?:no ?send|enough|basta|genug|es reicht|ca suffit|ya basta|dosc|хватит|достаточно)(?: now| already)?$|^legal hold$',
    '^(?:hat )?(?:lehnt|lehnte) (?:\\p{L}+ )?ab$|^abgelehnt$|^(?:mochte|will|wunscht) (?:nix|nichts)(?: mehr)?$|^todesfall$|^a?retirer$',
    BRIEF_REFUSALS,
    '^nu mai (?:vrea|doreste|trimite\\p{L}*)|^ne (?:sal(?:ji|jite|ati)|slat[iy]?|kuldjunk)(?: |$)|^odjaviti$|^не (?:слать|шлите|высыла\\p{L}+)(?: |$)|^μην? στελν\\p{L}+',
    '^(?:pending|awaiting|non|not|never) (?:confirm\\p{L}*|confirmation)$',
  ].join('|'),
);

/** True for a tag, or a clause of a note, that may say that a person left: `was subscribed`, `phone only`, `🚫`. */
export function isBriefEndText(text: string): boolean {
  const words = wordsOf(text);
  const tests = [isLimitedMail, isLeftPhrase, saysEndOfMail, wishesForPeace];
  return ONLY_REFUSING_SYMBOLS.test(text) || BRIEF_END.test(words) || tests.some((test) => test(words));
}

/** True for a tag or a list on which the person was earlier: `(was) News`, `previously VIP`. */
export function namesEarlierGroup(tag: string): boolean {
  const [, before, after] = IN_BRACKETS.exec(tag) ?? [];
  return EARLIER_TIME.test(wordsOf(before ?? after ?? '')) || EARLIER_GROUP.test(wordsOf(tag));
}

// Matches brackets before the name of a list, or after it: `(was) News`, `News (früher)`.
const IN_BRACKETS = /^\s*[([{]([^()[\]{}]{2,20})[)\]}]\s*(?=\S)|(?<=\S)\s*[([{]([^()[\]{}]{2,20})[)\]}]\s*$/u;
/** True for a refusal of a few words: `rather not`, `nie wieder`. */
export function isRefusalInWords(words: string): boolean {
  return BRIEF_REFUSAL.test(words) || UNNECESSARY.test(words) || isHedgedRefusal(words);
}

// Matches a year beside an opt-out word (`unsub2021`), and letters that sort a tag to the end (`zz_donotemail`).
const ADDITIONS = /(?<=\p{L})(?:19|20)?\d\d$|^(?:19|20)\d\d(?=\p{L})|^(?:x{1,3}|z{1,3})/gu;

/**
 * True for a tag that is an opt-out word, a complaint or a word such as `purge`. The opt-out word can have a year
 * beside it, or letters before it: `UNSUB2021`, `xoptout`.
 */
export function isMarkedOptOut(tag: string): boolean {
  const key = withoutBlanks(wordsOf(tag));
  const state = key.length > LONGEST_TAG ? undefined : CLEAR_WORDS.get(key.replace(ADDITIONS, ''));
  const isComplaint = SPAMMER.test(key) || STATE_WORDS.get(key)?.state === 'complained';
  return (
    isComplaint ||
    isEndedTag(wordsOf(tag)) ||
    (state !== undefined && state.state !== 'none' && state.state !== 'subscribed')
  );
}

/** True for words that keep mail away as a tag or a whole note: `purge`, `verweigert`. */
export function isEndedTag(words: string): boolean {
  return ENDED_TAG.test(withoutBlanks(withoutTime(words)));
}

// Words by which a person leaves a club or ends a subscription. Those of `LEAVES_AS_TAG` also count as a tag.
const LEAVES_AS_TAG =
  'leaving|(?:tritt|scheidet) aus|hort auf|lasciato|gaat weg|deixou|odchodzi|(?:gatt|gick) ur|lamnat|melder seg ut|eroaa|vystoupil[ai]?|a plecat';
const LEAVES = `${LEAVES_AS_TAG}|leaves|(?:is|will be) leaving|will leave|has left|(?:is )?ending|ends|endet|lauft (?:aus|ab)|verlasst(?: uns| den verein)?|quitte(?: l association| le club)?|a quitte|s en va|ne continue pas|se va|se fue|lo dejo|dejo|lo deja|dimess[oa]|vertrokken|slutade|partie?s?|opgezegd|odesz(?:la|li)|odszedl|ha salido|lascia|esce|nao continua|vai sair|vertrekt|stopt|houdt op|konczy(?: sie)?|gar ur|lamnade|lamnar|har slutat|hoppat av|meld(?:t|te) (?:seg|sig) (?:ut|ud)|melder (?:seg ud|sig (?:ut|ud))|gatt ud|stopper|lahtenyt|konci|kilep(?:ett)?|ayrildi|ayriliyor|ушел|ушла|вышел|вышла|уходит|αποχωρησε|ex|former|ancien(?:ne)?|antigu[oa]|antig[oa]|ehemals|plus (?:adherente?|membre|abonnee?)|fuera|fuori|fora|weg|raus|ut|byl[aiy]?`;

const LONGEST_TAG = 40;
// Tags and whole notes that may say that the person must get no mail. Inside a longer note they are too common.
const ENDED_TAGS = [
  'purged?|forget(?:me)?|(?:deny|un|de)list(?:ed)?|mailstop|prohibited|forbidden|barred|vetoe?d?|withheld|embargo(?:ed)?|scrub(?:bed)?|exited|departed|ceased|halted|muted?|snoozed?|paused?|suspended|deactivated|skip|ignored?|killed|trash(?:ed)?|(?:on|mail|email)?hold|den(?:y|ied)|restricted|expelled|evicted|culled?|(?:newsletter|e?mail)free|sunset(?:ted)?|unreachable|notreachable|notmarketable|nonmarketing|unfollow(?:ed)?|deregistered|bans?|quarantined?|avoid|objectors?|optdown|opteddown|offlist|redacted|ceasecontact',
  'ruht|eingestellt|eruit|eraf|wileraf|verboten|pausiert|deaktiviert|verweigert|verweigerer|ablehnung|untersagt|gestoppt|stopp|schwarzeliste|kundiger|karteileichen?|abg|abgem|(?:newsletter|mail|werbe)frei|stillgelegt|unterlassung(?:serklarung)?|abgemahnt|abmahnung|spammelder|niewieder|verst|nichteinladen|keineeinladung(?:en)?|nicht(?:informieren|benachrichtigen)',
  'interdite?|sortie?|opposee?|arret(?:ee?)?|retiree?|aretirer|rayee?|arayer|inacti(?:f|ve)|suspendue?|desactivee?|cloturee?|injoignable|nepasinviter|consentementretire|listerouge|dcd|mauvaiseadresse|rebond|enpause',
  'prohibid[oa]|vetad[oa]|rechazad[oa]|rechaza|retirad[oa]|suspendid[oa]|pausad[oa]|inactiv[oa]|noautoriza|noacepta|noinvitar|noinformar|oposicion|mu?ert[oa]|morto|dood|parar|finad[oa]|sefue|yano(?:esta)?|vietat[oa]|proibid[oa]|esclus[oa]|uscit[oa]|rifiut(?:ato|ata|a|o)|rimbalzat[oa]|inattiv[oa]|sospes[oa]|inpausa|disattivat[oa]|cessat[oa]|opposizione|nonvalid[oa]|noninvitare|consensonegato',
  'recus(?:ado|ada|ou|a)|revogad[oa]|inativ[oa]|suspens[oa]|encerrad[oa]|desativad[oa]|desistiu|naodeseja|naoautoriza|oposicao|morreu|semcorreio|verboden|vertrokken|geweigerd|weigert|bezwaar(?:gemaakt)?|onbestelbaar|ingetrokken|inactief|oudklant|vervallen|beeindigd|gepauzeerd|geschrapt|schrappen|uitgesloten|nietuitnodigen',
  'zakaz(?:any|ana)?|zabronion[ya]|odrzucon[ya]|sprzeciw|wycofal[ao]?zgode|odbity|bledny|nieprawidlowy|nieaktywn[ya]|bylyklient|wstrzyman[ya]|wylaczon[ya]|wykreslon[ya]|skreslon[ya]|wykluczon[ya]|raderas|sparr|dod|harslutat|flyttat|vagrar|nekad|forbjud(?:en|et)|klagomal|studsar|ogiltig|felaktig|kontaktaej|villej|inaktiv|pausad|slet|sp(?:ae)?rret|fratradt|stoppet|aterkallat|peruttu|afvist|onskerikke|reservert|kielletty',
  withoutBlanks(`(?:har?)?(?:${LEAVES_AS_TAG})`),
];
const ENDED_TAG = new RegExp(`^(?:${ENDED_TAGS.join('|')})$`, 'u');
const SPAMMER = /^spam(?:m?ers?|traps?|my|bots?)$/u;

// Words that end or pause a subscription. Under `Newsletter` svc would otherwise take them for the name of a list.
const PAUSES = wordPattern(
  'ruht ruhend vacation web_only snoozed? away urlaub weg over out eingestellt ausgesetzt entfallt gestrichen vorbei schlaft fertig erledigt terminee? finie?s? verlopen gestaakt eruit finished done lapsed finalizad[oa] terminad[oa] acabad[oa] finit[oa] terminat[oa] sospes[oa] concluid[oa] zakonczon[aey] zawieszon[aey] avslutad avslutat slut avsluttet vilande loppu paattynyt bitti skonceno ukonceno zavrseno',
);

/** True for a cell that ends or pauses the subscription of its header: `ruht` under `Newsletter`. */
export function endsSubscription(cell: string): boolean {
  const words = cell.length > LONGEST_TAG ? '' : withoutTime(wordsOf(cell));
  return words !== '' && PAUSES.exec(words)?.[0] === words;
}

const NOT_OR_NO =
  '(?:not|no|wont|didnt|doesnt|never|nicht|kein\\p{L}*|ne|pas|plus|sans|non|senza|nao|sem|sin|niet|geen|nie|bez|inte|ej|ikke|ei|nem|nu|δεν|не|без)';
const RENEWAL =
  '(?:renew|verlanger|erneuer|renouvel|reconduc|renov|renuev|rinnov|verleng|przedluz|odnow|forny|forlang|uusi|prodlou|obnov|megujit|prelung|ανανε|продл|поновл)\\p{L}*';
const LEAVING = compileWords(`^(?:(?:har|hat|hatte|has|a|ha|er|is|est) )?(?:${LEAVES})$`);
const NOT_RENEWED = compileWords(`(?:^| )${NOT_OR_NO}(?: \\S+)? ${RENEWAL}|^${RENEWAL} ${NOT_OR_NO}(?: |$)`);
const NOT_RENEWED_IN_OTHER_SCRIPTS = /更新(?:し|せ)?(?:ない|なし|ません|ず)|不续|不續|갱신 ?(?:안|하지)/u;
const AUTOMATIC = /(?:^| )auto/u;

/** True for words that say that a person leaves, or does not renew: `gått ur` and `not renewing` under `Membership`. */
export function saysLeaving(words: string): boolean {
  const text = withoutTime(words);
  const isNotRenewed = NOT_RENEWED.test(text) || NOT_RENEWED_IN_OTHER_SCRIPTS.test(text);
  return LEAVING.test(text) || (isNotRenewed && !AUTOMATIC.test(text));
}
