import { compileWords } from '../words/word-patterns.ts';

// Requests to be removed, in sentences and in the words of a form: `take me off this`, `delete my data`, `Auskunft und
// Löschung`. Each line has one language or a few related ones.

// Sentences in which a person asks for the removal of themselves, their address or their data.
const REMOVES_ME = [
  '(?:^| )(?:take|get|drop|strike|cross|cut|pull) (?:me|us|him|her|them|my \\p{L}+|our \\p{L}+)(?: \\p{L}+)? ?(?:off|out|from)(?= |$)|(?:^| )take (?:me |us )?off$',
  '(?:^| )(?:remove|delete|erase|wipe|purge|forget|unlist|scrub) (?:me|us|(?:all |of )*(?:my|our|his|her|their|all|personal)(?: \\p{L}+)? (?:e ?mails?|mail|address|name|data|details|info\\p{L}*|accounts?|records?|profile|contact|entry))(?= |$)|^(?:please )?(?:delete|erase|close) (?:my |the )?account$',
  '(?:^| )bitte (?:\\p{L}+ )?(?:raus|austragen|streichen|loschen|entfernen)(?= |$)|(?:^| )(?:nimm|nehmt|nehmen|streich\\p{L}*|losch\\p{L}*|entfern\\p{L}*|trag\\p{L}*) (?:sie )?(?:mich|uns|meine?n? \\p{L}+)(?= |$)|(?:^| )meine? (?:daten|adresse|e ?mail|angaben|konto)(?: \\p{L}+)? (?:loschen|entfernen|streichen)(?= |$)',
  '(?:^| )(?:supprim|effac|retir|enlev|ray|desinscri)\\p{L}* (?:moi|nous|mes \\p{L}+|mon \\p{L}+|ma \\p{L}+)(?= |$)|^a (?:supprimer|retirer|enlever|effacer)$',
  '(?:^| )(?:quit(?:ad|en)|borr(?:ad|en)|elimin(?:ad|en)|sac(?:ad|en))me(?= |$)|(?:^| )(?:borra|quita|elimina|saca|suprime)me(?= |$)|(?:^| )(?:borr|elimin|suprim|cancel)\\p{L}* (?:mis|mi) \\p{L}+|(?:^| )(?:apag|elimin|exclu|remov)\\p{L}* (?:(?:os )?meus|(?:a |o )?meu|minha) \\p{L}+',
  '(?:^| )(?:cancella|togli|elimina|rimuovi|leva)(?:te)?mi(?= |$)|(?:^| )(?:cancell|elimin|rimuov)\\p{L}* (?:i )?miei (?:dati|contatti)|(?:^| )(?:haal|verwijder|schrap|schrijf) (?:me|mij|mijn \\p{L}+)(?= |$)|(?:^| )(?:mijn )?gegevens (?:wissen|verwijderen)(?= |$)',
  '(?:^| )(?:radera|ta bort|stryk|slett?|fjern) (?:mig|meg|mina \\p{L}+|mine \\p{L}+|min \\p{L}+)(?= |$)|(?:^| )usun\\p{L}* (?:mnie|moje \\p{L}+)|(?:^| )(?:smaz|vymaz)\\p{L}* (?:me|moje) \\p{L}+|(?:^| )удалит\\p{L}* (?:меня|мои \\p{L}+)',
];
const REMOVAL_SENTENCE = compileWords(REMOVES_ME.join('|'));

// `REMOVALS` are the words of forms for a removal. `BESIDE` are words that may stand beside them. `delete` and `remove`
// alone are left out: other rules read them, and they may be the answers of a quiz.
const REMOVALS =
  'erase|erasure|loschen(?= lassen)|deletion|removal|forget|forgotten|loschung|datenloschung|loschantrag|loschbegehren|loschanfrage|loschwunsch|widerspruch|suppression|effacement|droit a l ?oubli|desinscription|supresion|borrado|eliminacion|cancelacion|cancellazione|rimozione|eliminazione|exclusao|eliminacao|remocao|verwijdering|wissing|radering|sletning|sletting|poisto|usuniecie|vymaz|torles|stergere|удаление|διαγραφη|objection|restrict(?:ion of)? processing|einschrankung der verarbeitung|limitation du traitement|limitacion del tratamiento|limitazione d[ie]l? trattamento|beperking van (?:de )?verwerking|opposition|oposicion|opposizione|oposicao|bezwaar|invandning|indsigelse|sprzeciw';
const BESIDE =
  'please|pls|kindly|bitte|svp|right|of|to|be|the|my|all|our|data|account|profile|personal|details|access|request|requested|full|complete|and|or|gdpr|dsgvo|rgpd|ccpa|avg|auskunft|auskunfts|recht|auf|und|oder|der|des|die|meiner?|daten|konto|antrag|anfrage|lassen|loschen|acces|et|ou|de|des|du|d|la|le|les|mes|ma|mon|donnees|compte|acceso|y|o|mis|datos|cuenta|accesso|e|dei|miei|dati|acesso|dados|meus|conta|inzage|en|mijn|gegevens|insyn|och|av|mina|uppgifter|indsigt|og|mine|oplysninger|dostep|i|danych|pristup|a|udaju|данных|processing|profiling|verarbeitung|gegen|traitement|au|tratamiento|al|tratamento|ao|trattamento|verwerking|tegen|van|behandling|mot|przetwarzania|wobec|zpracovani|proti|me|us|now|immediately|sofort|art|artikel|article|articulo|articolo|\\d+';
const REMOVAL_WORDS = compileWords(`^(?:(?:${BESIDE}) )*(?:${REMOVALS})(?: (?:${BESIDE}|${REMOVALS}))*$`);
const BY_LAW = compileWords(
  '^(?:gdpr |dsgvo |rgpd |avg )?(?:art|article|artikel|articulo|articolo)? ?(?:17|21)(?: (?:gdpr|dsgvo|rgpd|avg))?$',
);
const REMOVAL_IN_OTHER_SCRIPTS =
  /(?:データ|情報|登録|個人情報|数据|數據|信息|账号|賬號|개인정보|계정)の?(?:削除|消去|抹消|删除|刪除|삭제)|外してください|削除(?:希望|依頼|して|お願い)|解除(?:希望|依頼|して)/u;

/** True for a sentence by which a person asks for a removal: `take me off this`, `borrar mis datos`. */
export function asksForRemoval(words: string): boolean {
  return REMOVAL_SENTENCE.test(words);
}

/** True for the words that forms use for a removal: `erasure`, `Auskunft und Löschung`. */
export function namesRemoval(words: string): boolean {
  return REMOVAL_WORDS.test(words) || REMOVAL_IN_OTHER_SCRIPTS.test(words);
}

/**
 * True for an article of a data protection law with which a person can demand a removal, or object: `Art. 17`, `21
 * GDPR`.
 */
export function namesRightOfRemoval(words: string): boolean {
  return /\D/u.test(words) && BY_LAW.test(words);
}

const REQUEST_HEADER = compileWords(
  [
    '^(?:(?:last|latest|first|customer|client|user|contact|gdpr|dsgvo|rgpd|privacy|data|subject|support|type of|kunden|letzte) )*',
    '(?:requests?|enquiry|enquiries|inquiry|inquiries|ticket|case|messages?|subject|dsa?r|(?:action|request) requested|actions? requested|your message',
    '|anfragen?|anliegen|nachricht|betreff|kundenanfrage|ersuchen|demandes?|requete|objet|solicitud(?:es)?|peticion|consulta|mensaje|asunto|richiest[ae]|messaggio|oggetto',
    '|verzoek|vraag|bericht|onderwerp|begaran|arende|forfragan|meddelande|foresporgsel|henvendelse|zgloszenie|prosba|zadost|pozadavek|solicitacao|mensagem|assunto|запрос|обращение|сообщение',
    '|ご?依頼(?:内容)?|お?問い?合わ?せ(?:内容)?|ご?要望|件名|请求|請求内容|咨询|요청|문의)(?: (?:types?|text|typ|art|reason|details?|client|kunde|message))?$',
  ].join(''),
);

/** True for header words that name what a person asks for: `Request`, `Anfrage`, `Subject`. */
export function namesRequest(headerWords: string): boolean {
  return REQUEST_HEADER.test(headerWords);
}
