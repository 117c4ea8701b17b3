import type { GuardKind } from "./guard.ts";

/** Where an order begins: at the start, behind a mark, or behind "please" and "and" of the language. */
const order =
  "(?:^|[.!?:;,] ?|\\b(?:bitte|und|dann|por favor|y|et|puis|s'il (?:te|vous) plait|e|per favore|alsjeblieft|en) )(?:bitte |por favor |per favore )?";
/** Verbs of "ignore" and "forget" as one gives orders by them: German, French, Spanish and Portuguese, Italian, Dutch. */
const ignore =
  "(?:ignorier(?:e|t|en sie)?|vergiss|vergesst|vergessen sie|missachte|umgehe|uebergehe|ubergehe|ignore[sz]?|oublie[sz]?|neglige[sz]?|contourne[sz]?|ignora|ignorad|ignoren|olvida|olvide|olvidad|esqueca|desconsidere|omite|ignorate|dimentica|dimenticate|negeer|vergeet|ne (?:tiens|tenez) pas compte)";
const rulesWord =
  "(?:anweisung(?:en)?|regeln?|vorgaben?|instruktionen|quellen?|instructions?|consignes?|regles?|directives?|sources?|instrucciones|reglas|fuentes?|instrucoes|regras|fontes|istruzioni|regole|fonti|instructies|regels|bronnen)";
const own =
  "(?:dein(?:e[nrm]?)?|ihre?n?|eure?n?|te[ss]?|ton|vos|votre|tus?|sus?|vuestr[ao]s?|suas?|teus?|tue|tuoi|il tuo|le tue|je|jouw|uw)";
const secret =
  "(?:passw(?:oe|o)rt(?:er)?|kennw(?:oe|o)rt|zugangsdaten|geheimnis|api-?schl(?:ue|u)ssel|mots? de passe|cles? (?:api|secrete)|contrasenas?|clave (?:api|secreta)|senhas?|chave (?:api|secreta)|parola d'ordine|la password|le password|wachtwoord(?:en)?)";

/** The guard's kinds in other languages, over text in lower case without diacritics. */
export const foreignRules: readonly (readonly [GuardKind, readonly RegExp[]])[] = [
  [
    "instructions",
    [
      new RegExp(
        `\\b${own} (?:[\\p{L}]+ ){0,2}(?:system-?prompts?|prompt|systemanweisung(?:en)?|anweisungen|instruktionen|instructions?|consignes|instrucciones|instrucoes|istruzioni|instructies)\\b`,
        "u",
      ),
      /\b(?:prompt (?:de |del |di |do )?(?:systeme|sistema)|instrucciones (?:internas|ocultas|iniciales))\b|(?:系统提示词?|システムプロンプト|시스템 프롬프트|системн\p{L}+ (?:промпт|подсказк|инструкци)\p{L}*)/u,
    ],
  ],
  [
    "override",
    [
      new RegExp(`${order}${ignore}\\b[^.!?]{0,50}\\b${rulesWord}\\b`),
      new RegExp(
        `${order}${ignore} (?:alles|tout|todo|tudo|tutto)\\b[^.!?]{0,20}\\b(?:vorherige|bisherige|davor|oben|bisher|precede|ci-dessus|avant|anterior|antes|acima|precedente|sopra|prima|hiervoor|daarvoor)`,
      ),
      /\b(?:bisherigen|vorherigen|obigen|vorigen) (?:regeln|anweisungen|vorgaben)\b[^.!?]{0,30}\bnicht\b/,
      new RegExp(
        `\\b(?:antworte|antworten sie|repond[sz]?|repondez|responde|responda|rispondi|antwoord)\\b[^.!?]{0,40}\\b(?:ohne|sans|sin|sem|senza|zonder)\\b[^.!?]{0,30}\\b${rulesWord}\\b`,
      ),
      /(?:忽略|无视|忘记)[^。！？]{0,12}(?:指令|指示|说明|规则)|(?:指示|命令|ルール)を(?:すべて|全て)?無視|(?:игнорируй|забудь)\p{L}*[^.!?]{0,40}(?:инструкци|правил|указани)|(?:지시|명령|규칙)[^.!?]{0,6}무시/u,
    ],
  ],
  [
    "persona",
    [
      /\b(?:jetzt bist du|ab jetzt bist du|maintenant tu es|desormais tu es|ahora eres|agora voce e|ora sei|nu ben je|(?:du bist|sie sind|tu es|vous etes|eres|tu eres|voce e|sei|tu sei|je bent) (?:jetzt|nun|ab jetzt|maintenant|desormais|ahora|agora|ora|adesso|nu))\b[^.!?]{0,80}\b(?:ohne|keine[nrms]?|sans|aucune?|sin|ningun\p{L}*|sem|senza|zonder|geen|unzensiert\p{L}*|assistent\p{L}*|assistant|asistente|assistente|ki|ia|bot|dan)\b/u,
      /\b(?:spiele?|tu so|joue|fais comme si|finge|haz como|fingi|doe alsof)\b[^.!?]{0,30}\b(?:rolle|als (?:ob|waerst|warst)|role|tu (?:es|etais)|eres|fueras|sei|fossi|je)\b[^.!?]{0,60}\b(?:ki|ia|bot|assist\p{L}+|asist\p{L}+|hacker|dan)\b/u,
    ],
  ],
  [
    "secret",
    [
      new RegExp(
        `\\b(?:wie lautet|wie lauten|was ist|nenne?|zeige?|verrate?|gib|quel(?:le)?s? (?:est|sont)|donne[sz]?|montre[sz]?|cual(?:es)? (?:es|son)|dime|dame|muestra(?:me)?|qual e|mostre|qual'e|dimmi|mostra(?:mi)?|wat is|geef|toon)\\b(?![^.!?]{0,60}(?:richtlinie|politique|politica|beleid|ablauf|expir))[^.!?]{0,40}\\b${secret}\\b`,
      ),
    ],
  ],
];

/** Lower case, diacritics removed: how the rules are written. */
export function withoutDiacritics(text: string): string {
  return text.normalize("NFD").replace(/\p{Mn}/gu, "");
}
