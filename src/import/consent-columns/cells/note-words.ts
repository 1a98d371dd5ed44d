// Word stems in notes about people, for text without accents. Order of the languages: English, German, French, Spanish,
// Italian, Portuguese, Dutch, Polish, Nordic, Finnish, Turkish, Czech, Russian, others.

import { startOf } from '../text.ts';

/** Words about mail, lists and consent. */
const MAIL_WORDS = startOf(
  'e_?mail mail newsletter nl(?=_|$) list(?:s|a|e|u|y|ed)?(?=_|$) subscri unsub opt(?:s|ed|ing)?_?(?:in|out)(?=_|$) consent permission gdpr spam junk marketing advert (?:do_)?not_contact(?!ed) no_contact',
  'verteiler werbung einwillig zustimm dsgvo abonn kontakt_unerw post(?=_|$) courriel rgpd sollicit inscri desinscri correo boletin publicid suscri iscri consenso pubblicit propagand lijst nieuwsb reclame toestemm',
  'zgod rodo wysyl mejl nyhets nyheds samtyck samtykk utskick sahkoposti uutiskirj suostum e_?posta bulten izin souhlas рассыл подпис письм почт спам согласи отправ присыл',
);
// Words about mail, lists and consent in scripts without blanks between words, and in Hebrew and Arabic.
const MAIL_SIGNS = /メール|メルマガ|配信|購読|邮件|郵件|订阅|訂閱|메일|구독|수신|דואר|דיוור|רשימה|بريد|رسايل|اشتراك/u;

/** Words that say that a subscription, an address or a life ended. */
const END_WORDS = startOf(
  'left(?=$|_(?!hand|(?:a_)?(?:voice|message|vm)|side|over)) leave(?!_(?:until|till|from))(?=_|$|s_|s$) quit cancel remov delet eras struck strike(?=_|$) drop(?:ped|s)?(?=_|$) tak(?:e|en)_(?:\\S+_)?off off(?=_(?!ice|er|season)|$) stop(?:s|ped)?(?=_|$) dead decease die[ds](?=_|$) passed death gone(?=_|$) closed(?!_(?:the_)?deal) complain refus reject declin withdr revok revoc object(?:s|ed|ion)(?=_|$)',
  'bounc returned came_back undeliver invalid wrong unknown not_exist doesnt_exist no_such no_existe block black_?list banned robinson dnc dne dnm oo(?=_|$) never(?=_again|$) resign terminat expired ended inactive kicked suppress ex(?=_|$) former churn forgotten lawyer threat annoy hates? angry no_address',
  'losch gelosch streich gestrich raus(?=_|$) entfern austr[ei]t austrag ausgetr gekundig kundigung abgemeld abmeld abbestell widerr widerspr unerwunsch verstorb gestorb tot(?=_|$) verzogen ungultig existiert_nicht falsch zuruck(?=_|$) rucklauf unzustell gesperr sperr beschwer storn beend inaktiv ehemalig',
  'desinscri desabo resili supprim radie deced n_?existe_(?:pas|plus) fauss?e? errone retour refus plainte opposition effac parti(?=_|$) mort(?=_|$) bloqu annul baja borr(?:ar|ad) elimin fallec incorrect rebot queja retirar quitar bloque anul',
  'non_esiste nao_existe bestaat_niet cancell errat respint reclamo disdett rimuov rimoss blocc revoc disiscri falec errad devolv reclam exclu sair(?=_|$) saiu verwijder overled onjuist klacht opgezegd geblok afgemeld uitgeschr gestopt ongeldig',
  'nie_istniej wypis usun zmarl zly(?=_|$) zwrot skarg rezyg odmow zablok ta_bort avlid fel(?=_|$) retur klag avslut sparr slett dod(?=_|$) afdod avregistr avmeld frameld poist kuoll vaara silin sil(?=_|$) iptal vefat yanlis iade sikayet engel geri_don ayril cikti',
  'neexist odhlas smaz zemr spatn vracen stizn zrus blokov nedoruc odvol не_существ отказ удал умер неверн возврат жалоб заблок отпис отозв закрыт выбыл больше_не не_беспок',
);
// Words about such an end in these scripts.
const END_SIGNS =
  /退会|解約|不要|死亡|不明|削除|停止|苦情|拒否|戻り|解除|中止|返送|退订|删除|投诉|去世|拒绝|탈퇴|삭제|거부|사망|반송|해지|נפטר|הוסר|חסום|متوفى|حذف|رفض/u;

// Words for "no", "not" and "without".
const NOT =
  'no|not|never|nope|dont|doesnt|without|nix|kein\\w*|nicht|nie|ohne|ne|pas|plus|sans|sin|ya no|non|senza|nao|sem|niet|geen|bez|brak|inte|ikke|ej|ei|не|нет|без';
const NEGATION = new RegExp(`(?:^| )(?:${NOT})(?= |$)`, 'u');
// What a person refuses after such a word: interest, wishes, more, thanks, contact.
const WISH =
  'int(?:e|er)?res\\w*|want\\w*|wish\\w*|more|longer|thank\\w*|mehr|danke|quier\\w*|quer|mas|mais|veut|souhait\\w*|plus|piu|vuole|voglio|chce\\w*|will|wil|vill|vil|halua\\w*|kiinnosta|meer|zainteres\\w*|хоч\\p{L}*|интересн\\p{L}*|нужн\\p{L}*|clien\\w*|member|mitglied\\w*|contact|contacts|contacting|kontakt|send\\w*|schick\\w*|write|anschreib\\w*|disturb';

/** Words that refuse more mail: `no thanks`, `kein Interesse`, `ne veut plus`. */
const UNWILLING = new RegExp(
  `(?:^| )(?:${NOT})(?: \\S+){0,2} (?:${WISH})(?= |$)|(?:^| )(?:nope|vill inte|vil ikke|wil niet|will nicht|lost interest|nechce|nema zajem|istemiyor|ilgilenmiyor|uninterested|n ?en veu\\w+ (?:plus|pas)|desinteress\\w*)(?= |$)|興味なし|不感兴趣`,
  'u',
);

/** True for words about mail, lists or consent. */
export function speaksOfMail(words: string): boolean {
  return MAIL_WORDS.test(words) || MAIL_SIGNS.test(words);
}

/** True if a subscription, an address or a life ended. */
export function speaksOfEnd(words: string): boolean {
  return END_WORDS.test(words) || END_SIGNS.test(words);
}

/** True for words with a no or a never. */
export function denies(words: string): boolean {
  return NEGATION.test(words);
}

/** True for words that refuse more mail. */
export function isUnwilling(words: string): boolean {
  return UNWILLING.test(words);
}
