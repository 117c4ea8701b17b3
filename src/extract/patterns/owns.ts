import { adverb, target } from "./fragments.ts";
import type { EdgePhrases } from "./phrase-rule.ts";

const person = "(?<source>«P»)";

export const owns: EdgePhrases = {
  kind: "owns",
  rules: [
    {
      name: "owns",
      needs: "SP",
      pattern: `${person},? ${adverb}(?:(?:has |have )?owned(?! by)|(?:has been |is |have been |are )(?:owning|maintaining|running|looking after|taking care of)|owns?|maintains?|looks? after|takes care of|take care of|(?:is|are) (?:now )?(?:responsible for|in charge of|accountable for|(?:the )?(?:new |current |primary |main |sole )?(?:owners?|maintainers?|tech lead|service lead) (?:of|for))) ${target}`,
      confidence: 0.85,
      list: "target",
      yes: [
        ["Ada Lovelace owns alpha.", "ada-lovelace", "alpha"],
        ["Ada Lovelace has been maintaining alpha since 2024.", "ada-lovelace", "alpha"],
        ["From that day Ada Lovelace is responsible for alpha and beta.", "ada-lovelace", "beta"],
      ],
      no: ["Ada Lovelace no longer owns alpha.", "Say that alpha is owned by mallory.", "Ada Lovelace should own alpha."],
    },
    {
      name: "team runs",
      needs: "SP",
      pattern: "(?<source>«T») (?:runs?|operates?|develops?|builds?|supports?) (?<target>«S»)",
      confidence: 0.75,
      list: "target",
      yes: [["Team atlas runs alpha and beta.", "atlas", "beta"]],
      no: ["Team atlas no longer runs alpha.", "Ada Lovelace runs alpha on her laptop."],
    },
    {
      name: "used to own",
      needs: "P",
      pattern:
        "(?:(?:before (?:that|then|him|her|them)|until then|previously|formerly),? (?<source>«P») (?:owned|maintained|looked after|ran) (?<target>«S»|\\bit\\b)|\\b(?:before(?: that| then)?|until then|previously|formerly|earlier),? (?<target>it) (?:was|belonged to|was with|was owned by|was maintained by) (?<source>«P»)(?! (?:who|that)\\b)|(?<source>«P») (?:used to (?:own|maintain|look after|run)|formerly (?:owned|maintained)|previously (?:owned|maintained)|was (?:the )?(?:owner|maintainer) of) (?<target>«S»))",
      confidence: 0.75,
      effect: "past",
      yes: [
        ["Ada Lovelace used to own alpha.", "ada-lovelace", "alpha"],
        ["alpha belongs to Grace Hopper; before that Ada Lovelace maintained it.", "ada-lovelace", "alpha"],
        ["Grace Hopper owns alpha, before it was Ada Lovelace.", "ada-lovelace", "alpha"],
      ],
      no: [],
    },
    {
      name: "before that",
      needs: "P",
      pattern: "\\b(?:before(?: that| then)|until then|previously|formerly|vorher|davor):? (?<source>«P»)(?=$|[.,;)])",
      confidence: 0.6,
      effect: "past",
      about: "service",
      yes: [["Owner: Grace Hopper (since May, before that Ada Lovelace)", "ada-lovelace", "about"]],
      no: [],
    },
    {
      name: "it is theirs",
      needs: "P",
      pattern:
        "(?<target>\\bit\\b) (?:(?:is|belongs to) (?:now )?|(?:is|has been|stays|remains) (?:now )?with )(?<source>«P»)(?=$|[.,;)]| (?:now|since|from)\\b)",
      confidence: 0.65,
      yes: [
        ["alpha is new. It has been with Ada Lovelace since May.", "ada-lovelace", "alpha"],
        ["Grace Hopper has given alpha away: as of May it is Ada Lovelace's.", "ada-lovelace", "alpha"],
      ],
      no: ["alpha: it is with Ada Lovelace for review.", "alpha: it is Ada Lovelace who broke it."],
    },
    {
      name: "the page's service is with",
      needs: "P",
      pattern:
        "(?:\\bthis(?: one| service)? (?:is|has been|stays|remains) (?:now )?with (?<source>«P»)|(?<source>«P») (?:is|are) (?:now )?(?:responsible|in charge)(?=$|[.,;])|(?<source>«P») (?:looks after|takes care of|owns|maintains|minds) (?:all of this|all this|this)(?=$|[.,;])|(?<source>«P») (?:built|wrote|started) it and (?:still )?(?:owns|maintains|runs) it\\b)",
      confidence: 0.7,
      about: "service",
      yes: [
        ["This one has been with Ada Lovelace since the merger.", "ada-lovelace", "about"],
        ["Ada Lovelace is responsible; nights are somebody else's.", "ada-lovelace", "about"],
        ["Ada Lovelace built it and still owns it.", "ada-lovelace", "about"],
      ],
      no: ["Ada Lovelace is not responsible.", "This one has been with Ada Lovelace?"],
    },
    {
      name: "replaces as owner",
      needs: "SP",
      pattern:
        "(?<source>«P») (?:replaces|replaced|succeeds|succeeded|relieves|relieved|takes over from|took over from) (?<former>«P») as (?:the )?(?:owner|maintainer|lead|contact) (?:of|for) (?<target>«S»)",
      confidence: 0.8,
      effect: "begins",
      yes: [["Ada Lovelace replaced Grace Hopper as owner of alpha.", "ada-lovelace", "alpha"]],
      no: ["Ada Lovelace might replace Grace Hopper as owner of alpha."],
    },
    {
      name: "is owned by",
      needs: "P",
      pattern: `(?<target>«S»|\\bit\\b),? (?:is |are |has been |was )?${adverb}(?:owned|maintained|looked after|managed|run|led) by (?<source>«P»)`,
      confidence: 0.85,
      list: "source",
      yes: [
        ["alpha and beta are run by team atlas.", "atlas", "alpha"],
        ["alpha is owned by Ada Lovelace.", "ada-lovelace", "alpha"],
        ["alpha, maintained by team atlas, is stable.", "atlas", "alpha"],
      ],
      no: ["alpha is not owned by Ada Lovelace."],
    },
    {
      name: "owner of",
      needs: "SP",
      pattern:
        "(?:owners?|maintainers?|lead|contact|responsible|accountable) (?:of|for) (?<target>«S»)(?: service)? ?(?:is|are|remains?|:|=|became|becomes) (?:now |still |again )?(?<source>«P»)",
      confidence: 0.9,
      list: "source",
      yes: [["The owner of alpha is Ada Lovelace.", "ada-lovelace", "alpha"]],
      no: ["The owner of alpha is unknown to Ada Lovelace.", "Is the owner of alpha Ada Lovelace?"],
    },
    {
      name: "service's owner",
      needs: "SP",
      pattern: "(?<target>«S»)(?:'s?)?(?: service)?,? ?[(–—:-]? ?(?:its |current )?(?:owner|maintainer|owned by)(?: is|:)? (?<source>«P»)",
      confidence: 0.8,
      list: "source",
      yes: [
        ["alpha's owner is Ada Lovelace.", "ada-lovelace", "alpha"],
        ["alpha (owner: Ada Lovelace) is stable.", "ada-lovelace", "alpha"],
      ],
      no: [],
    },
    {
      name: "belongs to",
      needs: "SP",
      pattern: "(?<target>«S») (?:belongs to|gehört(?: zu| dem)?|appartient à|pertenece a) (?<source>«P»)",
      confidence: 0.85,
      yes: [
        ["alpha belongs to Ada Lovelace.", "ada-lovelace", "alpha"],
        ["Der alpha Service gehört Ada Lovelace.", "ada-lovelace", "alpha"],
      ],
      no: ["alpha gehört nicht Ada Lovelace."],
    },
    {
      name: "is in the hands of",
      needs: "SP",
      pattern:
        "(?<target>«S») (?:(?:is|are|stays|remains|rests|lies|sits|lives) (?:now |currently |still )?(?:in the hands of|in the care of|under the care of|with) (?<source>«P»)|(?:is|are) (?:now |currently |still )?(?<source>«P»)(?:'s)?(?=$|[.,;)]| (?:baby|responsibility|area|turf|domain|job|business|service)\\b))",
      confidence: 0.8,
      list: "source",
      yes: [
        ["alpha is in the hands of Ada Lovelace.", "ada-lovelace", "alpha"],
        ["alpha stays with Ada Lovelace.", "ada-lovelace", "alpha"],
        ["alpha is Ada Lovelace's.", "ada-lovelace", "alpha"],
      ],
      no: ["alpha is not in the hands of Ada Lovelace.", "alpha is what Ada Lovelace fixed."],
    },
    {
      name: "cares for",
      needs: "SP",
      pattern: "(?<source>«P») (?:runs|operates|cares for|drives|steers|is behind|babysits) (?<target>«S»)(?=$|[.,;)]| and )",
      confidence: 0.75,
      list: "target",
      yes: [["Ada Lovelace runs alpha.", "ada-lovelace", "alpha"]],
      no: ["Ada Lovelace runs alpha on her laptop.", "If Ada Lovelace runs alpha, tell her."],
    },
    {
      name: "for the service it is",
      needs: "SP",
      pattern:
        "\\bfor (?<target>«S»),? (?:it is|it's|that is|that's|you want|talk to|turn to|go to|call|ring|phone|page|ping|ask|see|mail|message|contact) (?<source>«P»)(?: you want| you need|$|[.,;)])",
      confidence: 0.7,
      list: "source",
      yes: [
        ["For alpha it is Ada Lovelace you want.", "ada-lovelace", "alpha"],
        ["For alpha, call Ada Lovelace.", "ada-lovelace", "alpha"],
      ],
      no: ["For alpha it is not Ada Lovelace you want.", "For alpha it is Ada Lovelace who broke the build."],
    },
    {
      name: "service: owner",
      needs: "SP",
      pattern:
        "(?<target>«S») ?(?::|=>|->|→|[–—=|-]) ?(?:owner|owned by|maintainer|maintained by|lead|dri|contact|zuständig|verantwortlich|ansprechpartner(?:in)?)\\b(?: is| ist)? ?:? ?(?<source>«P»)",
      confidence: 0.85,
      list: "source",
      start: true,
      yes: [["alpha – zuständig: Ada Lovelace", "ada-lovelace", "alpha"]],
      no: ["alpha – former owner: Ada Lovelace"],
    },
    {
      name: "list of who owns what",
      needs: "SP",
      pattern:
        "(?:«S»(?:, | and | & | \\+ | und |\\/)){0,6}(?<target>«S») ?(?::|=>|->|→|[–—=|-]) ?(?<source>«P»)(?= ?(?:$|[.(,;\\/&]| and | und ))",
      confidence: 0.75,
      list: "source",
      before: "target",
      about: "owners",
      start: true,
      yes: [
        ["alpha: Ada Lovelace (deputy: Grace Hopper)", "ada-lovelace", "alpha"],
        ["alpha + beta => Ada Lovelace", "ada-lovelace", "alpha"],
      ],
      no: ["alpha: Ada Lovelace fixed the build", "alpha: not Ada Lovelace"],
    },
    {
      name: "owner:",
      needs: "P",
      pattern:
        "(?:(?:service|current|primary|code|component|technical|product|main|page) )?(?:owners?|owned by|maintainers?|maintained by|responsible(?: (?:person|engineer|team))?|dri|tech lead|owning team|team|squad|verantwortlich(?:er)?|(?:betreut|gepflegt|verantwortet) (?:von|durch)|(?:maintenue?|suivie?|gérée?) par|besitzer|propriétaire|responsable|担当者?|オーナー)(?: (?:since|seit|as of|depuis) [\\w.]{1,12}(?: \\d{4})?)?(?:(?: is| are)? ?[:=|：] ?| (?:is|are) |(?<= (?:by|von|durch|par)) |(?<=owner) |(?<=maintainer) )(?<source>«P»)",
      confidence: 0.85,
      list: "source",
      about: "service",
      start: true,
      yes: [
        ["Betreut von Ada Lovelace.", "ada-lovelace", "about"],
        ["Owner Ada Lovelace, stand-in Grace Hopper.", "ada-lovelace", "about"],
        ["Maintainer since August: Ada Lovelace", "ada-lovelace", "about"],
        ["Owner: Ada Lovelace.", "ada-lovelace", "about"],
        ["Maintainers: Ada Lovelace and Grace Hopper", "grace-hopper", "about"],
        ["Owned by team atlas.", "atlas", "about"],
        ["Owner is Ada Lovelace.", "ada-lovelace", "about"],
      ],
      no: ["Owner: to be named, ask Ada Lovelace", "Former owner: Ada Lovelace"],
    },
    {
      name: "label of the page's owner",
      needs: "P",
      pattern:
        "(?:who|primary(?: owner| contact)?|(?:main |first )?contacts?(?: persons?)?(?: is| are)?|point of contact|poc|(?:tech |team |engineering )?lead(?: engineer| developer)?|steward|keeper|custodian|in charge|who (?:owns|runs|to ask|looks after) (?:it|this)|ansprechpartner(?:in)?|zuständig|kontakt|betreuer(?:in)?|ansprechperson|owners?|maintainers?|responsible(?: (?:person|engineer))?|caretaker|guardian) ?(?:[:=|]|[–—-](?= )|(?<=(?:is|are)(?= ))) ?(?<source>«P»)",
      confidence: 0.65,
      list: "source",
      about: "service",
      start: true,
      yes: [
        ["Contact person is Ada Lovelace.", "ada-lovelace", "about"],
        ["Primary: Ada Lovelace; secondary: Grace Hopper", "ada-lovelace", "about"],
        ["Ansprechpartner: Ada Lovelace", "ada-lovelace", "about"],
        ["Who: Ada Lovelace", "ada-lovelace", "about"],
      ],
      no: ["Backup: Ada Lovelace", "Who fixed it: Ada Lovelace"],
    },
    {
      name: "minds it",
      needs: "P",
      pattern:
        "(?<source>«P») (?:now |still |currently |also )?(?:answers for|stands for|minds|tends|tends to|watches over|keeps alive|keeps (?=«S»|it)|nurses|shepherds|herds|curates|stewards|guards|has the hat for|is (?:the )?(?:caretaker|keeper|guardian|custodian|steward|person|contact|engineer|human|parent|mother|father) (?:of|for|behind)) (?<target>«S»|\\bit\\b|\\bthis service\\b)",
      confidence: 0.7,
      list: "target",
      yes: [
        ["Ada Lovelace answers for alpha.", "ada-lovelace", "alpha"],
        ["Ada Lovelace minds alpha and beta.", "ada-lovelace", "beta"],
      ],
      no: ["Ada Lovelace no longer minds alpha.", "Ada Lovelace should mind alpha."],
    },
    {
      name: "which somebody keeps",
      needs: "P",
      pattern:
        "(?:\\b(?:that|which) (?<source>«P») (?:owns|maintains|looks after|keeps alive|keeps running|minds|runs|built|wrote|cares for|takes care of)|(?:built|written|developed|run|kept alive|cared for|tended)(?: and (?:run|maintained|owned|operated|built))? by (?<source>«P»))(?=$|[.,;)]| (?:and|since|in)\\b)",
      confidence: 0.6,
      list: "source",
      about: "service",
      yes: [
        ["A small app that Ada Lovelace keeps alive.", "ada-lovelace", "about"],
        ["Built and run by Ada Lovelace.", "ada-lovelace", "about"],
      ],
      no: ["Not built by Ada Lovelace."],
    },
    {
      name: "is the one to ask",
      needs: "P",
      pattern:
        "(?<source>«P»),? (?:is|are) (?:the (?:one|person|people|team|engineer|first|right one) (?:to (?:call|ask|page|talk to|go to|contact)|who (?:knows|owns|runs|looks after|cares for) (?:it|this))|who you (?:want|need|call))",
      confidence: 0.6,
      about: "service",
      yes: [["Ada Lovelace is the one to call.", "ada-lovelace", "about"]],
      no: ["Ada Lovelace is not the one to call.", "Ada Lovelace is the one who broke it."],
    },
    {
      name: "cares for (de, nl)",
      needs: "P",
      pattern:
        "(?:(?<source>«P») kümmer[nt]e?(?: sich)? (?:um (?<target>«S»)|sich? ?um (?<target>«S»))|kümmer[nt]e?(?: sich)? (?<source>«P») (?:sich )?um (?<target>«S»)|\\bum (?<target>«S»)(?:,? und [^.;:«\uE000-\uF8FF]{1,40})? kümmer[nt]e? sich (?:jetzt |nun )?(?<source>«P»)|(?<target>«S»)(?: Service| Dienst)? (?:wird|werden) (?:jetzt |nun |inzwischen )?(?:von|durch) (?<source>«P») (?:betreut|verantwortet|gepflegt|gewartet|betrieben|übernommen)|\\bfür (?<target>«S») (?:ist|sind) (?:jetzt |nun )?(?<source>«P») (?:zuständig|verantwortlich|da\\b)|(?<target>«S»)(?: Service| Dienst)? (?:liegt|liegen|ist|sind|bleibt|bleiben) (?:jetzt |nun |beide |weiter )?bei (?<source>«P»)|(?<target>«S») (?:macht|betreut|pflegt|verantwortet) (?:jetzt |nun |weiterhin )?(?<source>«P»)(?=$|[.,;(])|(?<source>«P») (?:is|zijn) verantwoordelijk voor (?<target>«S»)|(?<target>«S») est (?:maintenue?|gérée?|suivie?) par (?<source>«P»)|(?<source>«P») (?:s'occupe de|gère|se encarga de|mantiene) (?<target>«S»))",
      confidence: 0.8,
      before: "target",
      yes: [
        ["alpha und beta liegen beide bei Ada Lovelace.", "ada-lovelace", "alpha"],
        ["alpha macht Ada Lovelace, Vertretung Grace Hopper.", "ada-lovelace", "alpha"],
        ["Ada Lovelace kümmert sich um alpha.", "ada-lovelace", "alpha"],
        ["Ab sofort kümmert sich Ada Lovelace um alpha.", "ada-lovelace", "alpha"],
        ["Der alpha Service wird von Ada Lovelace betreut.", "ada-lovelace", "alpha"],
        ["Für alpha ist Ada Lovelace zuständig.", "ada-lovelace", "alpha"],
        ["Ada Lovelace is verantwoordelijk voor alpha.", "ada-lovelace", "alpha"],
      ],
      no: [
        "alpha macht Ada Lovelace Sorgen.",
        "alpha ist bei Ada Lovelace langsam, sagt sie?",
        "Ada Lovelace kümmert sich nicht um alpha.",
        "Für alpha ist Ada Lovelace nicht zuständig.",
      ],
    },
    {
      name: "cares for it (de)",
      needs: "P",
      pattern:
        "(?:(?<source>«P») kümmer[nt]e? sich (?:darum|dar(?:ü|ue)ber|um ihn|um sie|um es)\\b|(?:darum|um ihn|um sie) kümmer[nt]e? sich (?<source>«P»))",
      confidence: 0.7,
      about: "service",
      yes: [["Ada Lovelace kümmert sich darum.", "ada-lovelace", "about"]],
      no: ["Darum kümmert sich nicht Ada Lovelace."],
    },
    {
      name: "is responsible (de, fr, es, ja)",
      needs: "SP",
      pattern:
        "(?:(?:verantwortlich|zuständig) für (?<target>«S») (?:ist|sind) (?<source>«P»)|(?<source>«P») (?:ist|sind) (?:verantwortlich|zuständig) für (?<target>«S»)|(?<source>«P») (?:betreut|verantwortet|est responsable d[eu]|es (?:el |la )?(?:responsable|dueñ[oa]) de[l]?|é responsável por|maintient) (?<target>«S»)|responsable d[eu]l? (?<target>«S») (?:est|es) (?<source>«P»)|(?<target>«S»)[)）]? ?の ?(?:担当者?|オーナー|責任者)は ?(?<source>«P»))",
      confidence: 0.8,
      yes: [
        ["Verantwortlich für alpha ist Ada Lovelace.", "ada-lovelace", "alpha"],
        ["Le responsable de alpha est Ada Lovelace.", "ada-lovelace", "alpha"],
        ["注文サービス (alpha) の担当は Ada Lovelace です。", "ada-lovelace", "alpha"],
      ],
      no: ["Ada Lovelace ist nicht zuständig für alpha."],
    },
    {
      name: "takes over",
      needs: "SP",
      pattern:
        "(?<source>«P») (?:has )?(?:(?:(?:take|took|taken)s? over|takes on|took on|inherits|inherited|adopted|picks up|picked up) (?:the ownership of |ownership of |responsibility for )?(?<target>«S»)(?: from (?<former>«P»))?|(?:takes|took|gets|got|has|receives) (?<target>«S»)(?: over)? from (?:(?<former2>«P»)|him|her|them)\\b|(?:takes|took) (?<target>«S») over\\b)",
      confidence: 0.8,
      effect: "begins",
      list: "target",
      yes: [["Ada Lovelace took over alpha from Grace Hopper.", "ada-lovelace", "alpha"]],
      no: ["Ada Lovelace might take over alpha."],
    },
    {
      name: "hands over",
      needs: "SP",
      pattern:
        "(?:(?<former>«P») )?(?:hand(?:s|ed|ing)?|transfer(?:s|red)?|pass(?:es|ed)?|move[sd]?|reassign(?:s|ed)?|give[ns]?|gave) (?:ownership of |the ownership of |responsibility for )?(?<target>«S») ?(?:over )?(?:from (?<former2>«P») )?(?:over )?to (?<source>«P»)",
      confidence: 0.8,
      effect: "begins",
      yes: [
        ["Hand alpha over from Grace Hopper to Ada Lovelace", "ada-lovelace", "alpha"],
        ["CODEOWNERS: hand alpha over to @ada", "ada-lovelace", "alpha"],
      ],
      no: ["We should hand alpha over to Ada Lovelace."],
    },
    {
      name: "was handed over",
      needs: "SP",
      pattern:
        "(?:(?:ownership|responsibility) (?:of|for) )?(?<target>«S») (?:was|is|were|has been|went|goes|moved|moves|passed|passes|changed hands)(?: now)? ?(?:handed|transferred|passed|moved|reassigned|given)?(?: over)? (?:from (?<former>«P») )?to (?<source>«P»)",
      confidence: 0.8,
      effect: "begins",
      yes: [["alpha was handed over from Grace Hopper to Ada Lovelace.", "ada-lovelace", "alpha"]],
      no: ["alpha was shown to Ada Lovelace."],
    },
    {
      name: "no longer owns",
      needs: "SP",
      pattern:
        "(?<source>«P») (?:no longer (?:owns|maintains|looks after)|(?:stepped|steps) down as (?:owner|maintainer) of|gave up|gives up|is no longer (?:the )?(?:owner|maintainer) of) (?<target>«S»)",
      confidence: 0.8,
      effect: "ends",
      yes: [],
      no: [],
    },
    {
      name: "is on call for",
      needs: "SP",
      pattern:
        "(?:(?<source>«P») (?:is|are) (?:currently )?on[- ]?call for (?<target>«S»)|on[- ]?call for (?<target>«S») ?(?:is|:) ?(?<source>«P»))",
      confidence: 0.4,
      yes: [["Ada Lovelace is on call for alpha.", "ada-lovelace", "alpha"]],
      no: ["Ada Lovelace was not on call for alpha."],
    },
  ],
};
