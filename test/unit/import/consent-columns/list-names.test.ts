import { expect, test } from 'vitest';
import { nameOfOneList, namesOneList } from '../../../../src/import/consent-columns/several-columns/named-lists.ts';
import { meaningOf, tableOf } from './vocabulary/golden.ts';

/** The words of the source by which svc knows whether a header names one list of several. */

const each = (words: string, template: string) => words.split(' ').map((word) => template.replace('%', word));

const NO_NAMES =
  'e email emails mail mails mailing mailings correo correos courriel post posta marketing werbung advertising publicidad status state estado stato etat stand zustand statut subscribed unsubscribed subscribe unsubscribe subscription subscriptions subscriber abo abonnement opt opted in out optin optout double doi confirmed consent permission einwilligung consentement consentimiento consenso gdpr dsgvo rgpd account konto compte cuenta contact kontakt contacto customer kunde kunden client cliente klant member mitglied membre socio user date datum fecha data time at on by since reason grund motif motivo source quelle ip global all alle overall general total active aktiv current is has was are do not no nicht kein keine ne pas non of from for to the a an der die das de du la le les el los per via and und et left leave removed deleted cancelled canceled blocked blacklisted suppressed bulk my our your id code flag type method campaign title other comment note';
const ANY_MAILING =
  'newsletter newsletters infolettre infolettres nieuwsbrief nieuwsbrieven nyhetsbrev nyhedsbrev boletin boletín boletines rundbrief rundbriefe rundmail rundmails bulletin bulletins campaign campaigns campana campanas kampagne kampagnen message messages communication communications everything us site website web link form formular admin api import automatic automatically manual manually system yes ja nein';

test('reads no list name in a word about a state, a mailing or a person (C10)', () => {
  const headers = [
    ...each(NO_NAMES, 'Unsubscribed from % list'),
    ...each(NO_NAMES, 'Unsubscribed from the %'),
    ...each(ANY_MAILING, 'Unsubscribed from %'),
    ...each('newsletter newsletters', '% Press'),
  ];
  expect(headers.filter(namesOneList)).toEqual([]);
});

const BEFORE_NAMES =
  'from of for von vom fur für fuer de du des di dei da del della par pour para per van voor från fran fra od z от для';
const KINDS_OF_MAIL =
  'news offers events updates promos promotions deals digest digests products webinars surveys tips alerts announcements invitations angebote aktionen neuigkeiten veranstaltungen produkt produkte umfragen einladungen offres actualites evenements sondages ofertas noticias eventos encuestas offerte novita eventi aanbiedingen nieuws evenementen';
const LISTS =
  'list lists liste listen lista listas listes lijst verteiler topic topics theme themen group groups mailinglist mailinglists mailingliste';

test('finds a list name after each word for a list and each preposition (C10)', () => {
  const headers = [
    ...each(LISTS, '%: Press'),
    ...each(LISTS, '% Press'),
    ...each(BEFORE_NAMES, 'Unsubscribed % Press'),
    ...each(KINDS_OF_MAIL, '% status'),
    ...['Opt-out: Press', 'Opt-out：Press', 'Opt-out – Press', 'Opt-out — Press', 'Opt-out - Press', 'Opt-out: A'],
  ];
  expect(headers.filter((header) => !namesOneList(header))).toEqual([]);
  expect(namesOneList('Press status')).toBe(false);
});

const GROUPS =
  'marketing werbung advertising publicidad customer kunde kunden client cliente klant member mitglied membre socio alle all overall general global total bulk title other';

test.each(GROUPS.split(' '))('takes the general word "%s" for the name of a list after "List:" (C10)', (word) => {
  expect(nameOfOneList(`List: ${word}`)).toBe(word);
});

const SIGN_UPS =
  'anmeldung signup signups subscription subscriptions abonnement abonnements suscripcion assinatura permissions consensi einwilligungen zgody pref prefs preference preferences frequency frequencia frecuencia haufigkeit delivery';

test('finds the name of a list beside any sign-up word in a header (C10)', () => {
  const names = each(SIGN_UPS, 'List: Garden %').map(nameOfOneList);
  expect(names.filter((name) => name !== nameOfOneList('List: Garden'))).toEqual([]);
  expect(nameOfOneList('List: Garden DE')).toBe('de garden');
});

const LIST_TITLES =
  '2021 bounce list|2021-05 complaint list|05/2021 unsubscribed|2021-bounces.csv|20210501_complaints.csv|Mailchimp bounce list|CRM blacklist 2020|master suppression list|Liste Bounce|Liste désabonnés|Lista rimossi|Sperrliste|Sperrliste 2021|Löschliste';

test('notices a source that names an opt-out list after other words (C10)', () => {
  const isSilent = (cell: string) => meaningOf(tableOf(['Source'], { rows: [['Website'], [cell]] }), cell) === '-';
  expect(LIST_TITLES.split('|').filter(isSilent)).toEqual([]);
  const harmless = '2021 price list|2021_export.csv|12345 bounce|10115 Berlin|Liste A|Lista de espera|list of speakers';
  expect(harmless.split('|').filter((cell) => !isSilent(cell))).toEqual([]);
});
