/**
 * The workload that a Kubernetes pod belongs to, null when the name has no pod's shape.
 *
 * Deployment: `<name>-<template hash>-<5 characters>` ("checkout-7d9f8b6c5-x2x9p" is checkout); the hash is 5 to 10
 * characters of lower-case letters and digits, with a digit in it or without a vowel, so that "order-history-queue" is no pod.
 * DaemonSet and Job: `<name>-<5 characters>`, taken only with a digit in it. StatefulSet: `<name>-<ordinal>` ("redis-0" is redis).
 */
export function workloadOfPod(name: string): string | null {
  let known = workloads.get(name);
  if (known === undefined) {
    known = readPodName(name);
    if (workloads.size >= 10_000) workloads.clear();
    workloads.set(name, known);
  }
  return known;
}

/** Names come again on every line. */
const workloads = new Map<string, string | null>();

function readPodName(name: string): string | null {
  if (name.length > 253 || !/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/.test(name)) return null;
  const parts = name.split("-");
  const last = parts.at(-1) ?? "";
  const hash = parts.at(-2) ?? "";
  if (parts.length >= 3 && last.length === 5 && random(last) && hash.length >= 5 && hash.length <= 10 && random(hash)) {
    return parts.slice(0, -2).join("-");
  }
  if (parts.length >= 2 && /^\d{1,3}$/.test(last) && /[a-z]/.test(parts[0] ?? "")) return parts.slice(0, -1).join("-");
  if (parts.length >= 2 && last.length === 5 && /\d/.test(last) && /[a-z]/.test(last) && random(last)) return parts.slice(0, -1).join("-");
  return null;
}

/** Kubernetes draws such parts from an alphabet without vowels; hex hashes have digits. Real words have vowels and none. */
function random(part: string): boolean {
  return /^[a-z0-9]+$/.test(part) && (/\d/.test(part) || !/[aeiou]/.test(part));
}
