/** Raised with every change of a rule, weight or threshold that labels claims: answers that were checked otherwise are not served again. */
export const VERIFIER_VERSION = "7";
