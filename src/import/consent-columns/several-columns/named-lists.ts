import { OPT_OUT_STEMS } from '../headers/header-words.ts';
import { containsStem, wordsOf } from '../words-and-stems.ts';

/** Words that name no list. `Email status` and `Account status` are about the person, `News status` is about a list. */
export const GENERAL = new Set(
  [
    'e email emails mail mails mailing mailings correo correos courriel post posta marketing werbung advertising publicidad',
    'status state estado stato etat stand zustand statut subscribed unsubscribed subscribe unsubscribe subscription',
    'subscriptions subscriber abo abonnement opt opted in out optin optout double doi confirmed consent permission',
    'einwilligung consentement consentimiento consenso gdpr dsgvo rgpd account konto compte cuenta contact kontakt contacto',
    'customer kunde kunden client cliente klant member mitglied membre socio user date datum fecha data time at on by since',
    'reason grund motif motivo source quelle ip global all alle overall general total active aktiv current is has was are',
    'do not no nicht kein keine ne pas non of from for to the a an der die das de du la le les el los per via and und et y',
    'left leave removed deleted cancelled canceled blocked blacklisted suppressed bulk my our your id code flag type method campaign title other comment note',
  ].flatMap((line) => line.split(' ')),
);

/** Matches a word such as `list`. Each other word of a header with it is the name of a list. */
export const LIST =
  /^(?:mailing)?(?:lists?|listen?|listas?|listes?|lijst|verteiler|newsletters?|topics?|themen?|groups?)$/u;

// Words for any mailing. `Unsubscribed from our newsletter` names no list of several.
const ANY_MAILING =
  /^(?:newsletters?|infolettres?|nieuwsbrie(?:f|ven)|nyhetsbrev|nyhedsbrev|bolet[ií]n(?:es)?|rundbriefe?|rundmails?|bulletins?|campaigns?|campanas?|kampagnen?|messages?|communications?|everything|us|site|website|web|form|formular|link|user|admin|api|import|automatic|automatically|manual|manually|system|y|n|yes|no|ja|nein)$/u;

// Matches what comes before the name of a list: `Unsubscribed from News`, `Opt-out: News`, `Abgemeldet von Angeboten`.
const BEFORE_NAME =
  /(?:(?<!\p{L})(?:from|of|for|von|vom|fur|für|fuer|de|du|des|di|dei|da|del|della|par|pour|para|per|van|voor|från|fran|fra|od|z|от|для)\s+|[:：]\s*|\s[–—-]\s+)(.+)$/isu;

// Words for a kind of mail, of which a sender usually has several.
const KIND_OF_MAIL =
  /^(?:news|offers|events|updates|promos|promotions|deals|digests?|products|webinars|surveys|tips|alerts|announcements|invitations|angebote|aktionen|neuigkeiten|veranstaltungen|produkte?|umfragen|einladungen|offres|actualites|evenements|sondages|ofertas|noticias|eventos|encuestas|offerte|novita|eventi|aanbiedingen|nieuws|evenementen)$/u;

/** True for a header that names one list of several: `List: News`, `Unsubscribed from Offers`, `Offers status`. */
export function namesOneList(header: string): boolean {
  const words = wordsOf(header).split(' ');
  const names = words.filter(isListName);
  const after = wordsOf(BEFORE_NAME.exec(header)?.[1] ?? '');
  const isMarked = beginsWithList(header) || names.some((word) => KIND_OF_MAIL.test(word));
  return (names.length > 0 && (isMarked || after.split(' ').some(isListName))) || LETTER.test(header);
}

/** True for a header such as `List: News`. `Waiting list` and `No newsletter` name no list of several. */
export function beginsWithList(header: string): boolean {
  const [first = '', ...others] = wordsOf(header).split(' ');
  return LIST.test(first) && !ANY_MAILING.test(first) && others.some(isListName);
}

// Matches a list that has only a letter as its name: `Opt-out: A`.
const LETTER = /[:：]\s*\p{L}$/u;

/** True for a word that can be the name of a list. */
function isListName(word: string): boolean {
  return (
    word !== '' &&
    !GENERAL.has(word) &&
    !LIST.test(word) &&
    !ANY_MAILING.test(word) &&
    !containsStem(OPT_OUT_STEMS, word)
  );
}
