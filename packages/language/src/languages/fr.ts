import type { Language } from './language.ts';
import { digitCounts, entries, keyPhrases, pairs, setOf, signsOf } from './lists.ts';

export const fr: Language = {
  tag: 'fr',
  sentences: {
    abbreviations: setOf('m, mm, mme, mlle, dr, pr, me, st, ste, p.ex, c.-à-d, env, tél, cf, av, bd, max, min'),
    lastAbbreviations: setOf('etc, s.v.p, svp'),
    numberAbbreviations: setOf('n, no, art, p, fig, chap'),
    capitalWords: new Set(),
    conjunctions: setOf('et, mais, ou, car, donc, parce, puis, alors'),
    interjections: setOf(
      `bonjour, bonsoir, bien sûr, certainement, absolument, parfait, très bien, d'accord, entendu, merci,
        merci beaucoup, je vous en prie, pas de problème, désolé, désolée, un instant, un moment, je comprends,
        avec plaisir, excellent, super`,
    ),
    numberParts: setOf('vingt, trente, quarante, cinquante, soixante, cent, mille, million, entre, deux, trois'),
    dottedOrdinals: null,
  },
  listening: {
    backchannels: entries(
      `oui, ouais, oui oui, d'accord, bien, très bien, bon, parfait, exactement, voilà, c'est ça, je vois,
        je comprends, ah bon, bien sûr, tout à fait, en effet, effectivement, entendu, super, ça marche, compris,
        ah oui`,
    ),
    answers: entries(
      `oui, ouais, si, d'accord, bien sûr, tout à fait, exactement, voilà, c'est ça, ok, okay, parfait,
        très bien, bien, ça marche, volontiers, non, pas vraiment, jamais, absolument, certainement`,
    ),
    softeners: entries("merci, s'il vous plaît, s'il te plaît, madame, monsieur, euh, ben, merci beaucoup"),
  },
  turns: {
    unfinished: setOf(
      `et, ou, mais, car, donc, parce, que, qui, quand, si, comme, où, le, la, les, un, une, des, du, au, aux,
        mon, ma, mes, votre, vos, notre, nos, son, sa, ses, leur, leurs, ce, cette, ces, euh, hum, alors, très,
        aussi, peut-être, je, j'ai, nous, il, elle, ne, c'est, puis, l, d`,
    ),
    hardlyFinished: setOf(
      `à, de, pour, avec, chez, dans, sur, sans, entre, vers, par, depuis, est, suis, sont, était, ai, a, ont,
        avez, avons, veux, voudrais, peux, pouvez, dois, doit, vais, va, faut, m'appelle`,
    ),
    unfinishedPhrases: setOf(
      `je voudrais, j'aimerais, je cherche, j'ai besoin, est-ce que, parce que, mon nom est, pouvez-vous me,
        je pense, je crois, un instant, attendez, un moment`,
    ),
    finishedPhrases: setOf(
      `merci, merci beaucoup, au revoir, bonne journée, s'il vous plaît, c'est tout, ce sera tout, rien d'autre,
        bonjour, bonsoir, je ne sais pas, aucune idée, pas encore, à bientôt, à demain`,
    ),
    pronouns: setOf('je, tu, il, elle, nous, vous, ça'),
    openings: setOf(
      `si, quand, lorsque, pendant, comme, depuis, après, avant, dès, pour, afin, en, avec, sans, à,
        durant`,
    ),
    closedQuestions: setOf('est-ce que, pouvez-vous me, avez-vous un, avez-vous une, puis-je avoir, y a-t-il'),
  },
  spelling: {
    numbers: digitCounts(
      'zéro, un, deux, trois, quatre, cinq, six, sept, huit, neuf',
      `dix, onze, douze, treize, quatorze, quinze, seize, vingt, trente, quarante, cinquante, soixante, septante,
        huitante, nonante`,
    ),
    tens: setOf('dix, vingt, trente, quarante, cinquante, soixante, septante, huitante, nonante'),
    doubles: setOf('double'),
    marks: setOf('tiret, trait, underscore, plus, espace, majuscule'),
    at: setOf('arobase, at'),
    dot: setOf('point'),
    cues: setOf(
      `numéro, téléphone, portable, code, postal, client, commande, compte, iban, référence, épelle,
        immatriculation`,
    ),
    emailCues: setOf('email, e-mail, mail, courriel'),
    nameCues: setOf('nom, prénom'),
  },
  spoken: {
    digits: 'zéro un deux trois quatre cinq six sept huit neuf'.split(' '),
    signs: signsOf(
      `et, ou, à, arobase, point, barre oblique, tiret, tiret bas, plus, pour cent, numéro, paragraphe, égale,
        fois, degrés, Celsius, Fahrenheit, hashtag, environ`,
    ),
    abbreviations: pairs(
      `p.ex=par exemple; c.-à-d=c'est-à-dire; etc=et cetera; env=environ; mme=Madame; mlle=Mademoiselle;
        dr=Docteur; pr=Professeur; tél=téléphone; av=avenue; bd=boulevard; et/ou=et ou`,
    ),
    numberAbbreviations: pairs('no=numéro; n=numéro; art=article; p=page'),
    titles: pairs('mme=Madame; mlle=Mademoiselle; dr=Docteur'),
    acronyms: setOf('FAQ, UE, USB, URL, API, ID, TVA, CB, EDF, RATP, IP, IA'),
    numbers: null,
  },
  greetings: {
    screening: ['dites votre nom et', 'votre nom et la raison', 'la raison de votre appel', 'votre nom et le motif'],
    voicemail: [
      'laissez un message',
      'laisser un message',
      'laissez votre message',
      'laisser votre message',
      'laissez-moi un message',
      'laissez-nous un message',
      'après le bip',
      'après le signal sonore',
      'après le signal',
      'messagerie',
      'répondeur',
      'boîte vocale',
      'je vous rappelle',
      'vous rappellerai',
      'vous rappellerons',
    ],
    ivr: [
      ...keyPhrases(
        ['tapez', 'appuyez sur', 'tapez sur', 'appuyez sur le'],
        ['zéro', 'un', 'deux', 'trois', 'quatre', 'cinq', 'étoile', 'dièse'],
      ),
      'tous nos conseillers',
      'veuillez patienter',
      'ne quittez pas',
      'être enregistré',
      "n'est pas attribué",
      "n'est plus attribué",
    ],
    likelyVoicemail: [
      "n'est pas disponible",
      "n'est pas joignable",
      'pas disponible pour le moment',
      'indisponible',
      'vous êtes bien sur',
      'vous êtes bien chez',
      'votre correspondant',
      'la personne que vous appelez',
      'absent pour le moment',
    ],
    likelyIvr: ['bienvenue', 'merci de votre appel'],
    human: ['comment puis-je vous aider', 'que puis-je faire', "qui est à l'appareil", 'je vous écoute', 'qui est-ce'],
  },
};
