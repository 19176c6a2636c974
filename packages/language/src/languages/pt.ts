import type { Language } from './language.ts';
import { digitCounts, entries, keyPhrases, pairs, setOf, signsOf } from './lists.ts';

/** Portuguese of Portugal and Brazil. */
export const pt: Language = {
  tag: 'pt',
  sentences: {
    abbreviations: setOf('sr, sra, srta, dr, dra, d, exmo, exma, prof, profa, p.ex, aprox, tel, av, r, máx, mín, eng'),
    lastAbbreviations: setOf('etc, s.a, lda, ltda'),
    numberAbbreviations: setOf('n, nº, núm, art, fig, cap, pág'),
    capitalWords: setOf('e, o, a, é, à'),
    conjunctions: setOf('e, mas, ou, porque, então, porém, pois, enquanto, depois'),
    interjections: setOf(
      `olá, oi, bom dia, boa tarde, boa noite, claro, com certeza, perfeito, muito bem, está bem, tudo bem, certo,
        obrigado, obrigada, muito obrigado, muito obrigada, de nada, sem problema, desculpe, um momento, um instante,
        entendo, entendi, percebo, ótimo, com todo o gosto`,
    ),
    numberParts: setOf(
      'vinte, trinta, quarenta, cinquenta, sessenta, setenta, oitenta, noventa, cento, mil, milhão, entre, dois, três',
    ),
    dottedOrdinals: null,
  },
  listening: {
    backchannels: entries(
      `sim, claro, certo, está bem, tá bem, tá bom, tá, tudo bem, bem, muito bem, bom, perfeito, exato, exatamente,
        isso, isso mesmo, é isso, entendo, entendi, percebo, percebi, pois, pois é, ah sim, ótimo, beleza, com certeza`,
    ),
    answers: entries(
      `sim, claro, certo, está bem, tá bem, tá bom, tudo bem, isso, isso mesmo, exato, perfeito, ok, okay, com certeza,
        pode ser, não, nunca, ainda não, de jeito nenhum, de maneira nenhuma, correto`,
    ),
    softeners: entries(
      'por favor, se faz favor, obrigado, obrigada, muito obrigado, muito obrigada, senhor, senhora, é, hum, bom',
    ),
  },
  turns: {
    unfinished: setOf(
      `e, ou, mas, porém, porque, que, quando, se, como, onde, enquanto, então, pois, o, a, os, as, um, uma, uns, umas,
        meu, minha, meus, minhas, seu, sua, seus, suas, nosso, nossa, este, esta, esse, essa, aquele, aquela, do, da,
        dos, das, no, na, nos, nas, ao, à, pelo, pela, num, numa, é, hum, muito, também, talvez, eu, nós, me, não,
        tipo`,
    ),
    hardlyFinished: setOf(
      `de, em, para, pra, com, por, sem, entre, sobre, até, desde, são, sou, era, tenho, tem, temos, quero, queria,
        gostaria, posso, pode, devo, vou, vai, chamo, estou, está`,
    ),
    unfinishedPhrases: setOf(
      `eu gostaria, gostaria de, queria, estou procurando, estou à procura, preciso, preciso de, o meu nome é,
        meu nome é, pode me dizer, pode dizer-me, acho que, quer dizer, um momento, um instante,
        espere`,
    ),
    finishedPhrases: setOf(
      `obrigado, obrigada, muito obrigado, muito obrigada, tchau, adeus, até logo, até amanhã, por favor,
        se faz favor, é tudo, é só isso, só isso, mais nada, olá, oi, bom dia, boa tarde, boa noite, não sei,
        não faço ideia, ainda não`,
    ),
    pronouns: setOf('eu, tu, você, ele, ela, nós'),
    openings: setOf(
      `se, quando, enquanto, embora, como, desde, depois, antes, para, por, com, sem, em, durante, até, assim, caso,
        além`,
    ),
    closedQuestions: setOf('você pode, pode me, poderia me, há alguma, há algum, vocês têm, é possível, posso ter'),
  },
  spelling: {
    numbers: digitCounts(
      'zero, um, uma, dois, duas, três, quatro, cinco, seis, meia, sete, oito, nove',
      `dez, onze, doze, treze, catorze, quatorze, quinze, dezesseis, dezasseis, dezessete, dezassete, dezoito, dezenove,
        dezanove, vinte, trinta, quarenta, cinquenta, sessenta, setenta, oitenta, noventa`,
    ),
    tens: setOf('vinte, trinta, quarenta, cinquenta, sessenta, setenta, oitenta, noventa'),
    doubles: setOf('duplo, dupla'),
    marks: setOf('hífen, traço, barra, mais, espaço, maiúscula, maiúsculo, underline, underscore'),
    at: setOf('arroba'),
    dot: setOf('ponto'),
    cues: setOf(
      `número, telefone, telemóvel, celular, código, postal, cep, cpf, nif, pedido, conta, iban, referência, matrícula,
        placa`,
    ),
    emailCues: setOf('email, e-mail, mail, correio'),
    nameCues: setOf('nome, sobrenome, apelido, chama'),
  },
  spoken: {
    digits: 'zero um dois três quatro cinco seis sete oito nove'.split(' '),
    signs: signsOf(
      `e, ou, em, arroba, ponto, barra, hífen, underline, mais, por cento, número, parágrafo, igual a, vezes, graus,
        Celsius, Fahrenheit, cardinal, aproximadamente`,
    ),
    abbreviations: pairs(
      `p.ex=por exemplo; etc=etcétera; aprox=aproximadamente; sr=senhor; sra=senhora; srta=senhorita; dr=doutor;
        dra=doutora; prof=professor; tel=telefone; av=avenida; máx=máximo; mín=mínimo; e/ou=e ou`,
    ),
    numberAbbreviations: pairs('n=número; nº=número; núm=número; art=artigo; pág=página'),
    titles: new Map(),
    acronyms: setOf('FAQ, UE, USB, URL, API, ID, CPF, IP, IA'),
    numbers: null,
  },
  greetings: {
    screening: ['diga o seu nome e', 'o seu nome e o motivo', 'seu nome e o motivo', 'o motivo da sua ligação'],
    voicemail: [
      'deixe uma mensagem',
      'deixe a sua mensagem',
      'deixe sua mensagem',
      'deixe o seu recado',
      'deixe seu recado',
      'deixar uma mensagem',
      'após o sinal',
      'depois do sinal',
      'após o bip',
      'correio de voz',
      'caixa postal',
      'caixa de correio',
      'retornarei a sua ligação',
      'retornaremos a ligação',
    ],
    ivr: [
      ...keyPhrases(
        ['digite', 'tecle', 'pressione', 'aperte', 'marque', 'prima', 'digite o'],
        ['zero', 'um', 'dois', 'três', 'quatro', 'cinco', 'asterisco', 'cardinal'],
      ),
      'todos os nossos atendentes',
      'todos os nossos operadores',
      'permaneça na linha',
      'aguarde na linha',
      'pode ser gravada',
      'será gravada',
      'este número não existe',
      'não está atribuído',
    ],
    likelyVoicemail: [
      'não está disponível',
      'não se encontra disponível',
      'encontra-se desligado',
      'fora da área de cobertura',
      'não posso atender',
      'não podemos atender',
      'a sua chamada está sendo encaminhada',
      'sua chamada está sendo encaminhada',
      'o número que marcou',
    ],
    likelyIvr: ['bem-vindo', 'bem-vindos', 'bem vindo', 'obrigado por ligar', 'obrigada por ligar'],
    human: ['em que posso ajudar', 'como posso ajudar', 'quem fala', 'com quem falo', 'quem está falando'],
  },
};
