/** The agreements in Afrikaans; the binding text is that in Traditional Chinese. */
import type { AgreementTexts } from "./shape.ts";

export const af: AgreementTexts = {
  general: [
    "Dit is ’n sandbak. Pryse is gesimuleer en geen regte geld beweeg nie; die ooreenkoms wys wat ’n makelaar in Taiwan u sou laat teken.",
    "Die teks in Tradisionele Chinees is bindend. Ander tale is vertalings vir u gerief.",
    "Ons bewaar hierdie teks, sy vingerafdruk (SHA-256), u handtekening, die tyd en die sessie as bewys tot vyf jaar nadat u rekening gesluit is.",
    "U mag hierdie ooreenkoms enige tyd deur kliëntediens beëindig. Verpligtinge wat dan bestaan, bly totdat hulle nagekom is.",
  ],
  dayTrading: {
    title: "Risikokennisgewing en ooreenkoms vir daghandel",
    points: [
      "’n Daghandel word op dieselfde handelsdag oop- en toegemaak, eers gekoop of eers verkoop.",
      "Wat ek oop los, maak die makelaar voor sluiting teen die markprys toe. Ek dra die resultaat en die koste.",
      "As ’n kortverkoop nie dieselfde dag gedek kan word nie, moet aandele in die volgende dae geleen of gekoop word; die koste kan ’n veelvoud van die prysverskil wees.",
      "Verliese kan binne minute ontstaan, meer wees as wat ek beplan het, en word uit my rekening betaal. Ek is aanspreeklik vir die res.",
      "Die makelaar waarsku my by ’n verlies wat ek kan stel, en mag daghandel opskort as ek nie vereffen nie.",
    ],
  },
  margin: {
    title: "Ooreenkoms vir ’n margerekening",
    points: [
      "Die makelaar leen my geld om te koop, of aandele om te verkoop, teen sekuriteit, teen die koerse en verhoudings in die handelsreëls.",
      "Rente en leenkoste loop elke dag op en word gehef wanneer die posisie gesluit word.",
      "Wanneer die waarde van my sekuriteit onder die instandhoudingsverhouding daal, kry ek ’n margeoproep. Voldoen ek nie betyds nie, sluit die makelaar posisies sonder verdere kennisgewing.",
      "Ek kan meer verloor as wat ek inbetaal het, en skuld die makelaar wat die verkoop van die sekuriteit nie dek nie.",
      "Korporatiewe aksies en algemene vergaderings kan my dwing om vroeg te sluit of geleende aandele terug te gee.",
    ],
  },
  lending: {
    title: "Ooreenkoms vir die uitleen van sekuriteite",
    points: [
      "Ek leen my aandele deur die makelaar uit teen ’n fooi. Gedurende die lening kan hulle nie verkoop of onttrek word nie.",
      "Die lener vergoed my vir dividende en regte; ek kan nie met uitgeleende aandele stem nie.",
      "Die makelaar hou sekuriteit van die lener. As die lener versuim, kry ek kontant ter waarde van die aandele, wat kan verskil van die prys waarop ek gehoop het.",
      "Ek mag my aandele terugvra. Die teruggee duur hoogstens die getal dae wat by die lening staan.",
    ],
  },
  futures: {
    title: "Risikokennisgewing en ooreenkoms vir termynkontrakte",
    points: [
      "’n Termynkontrak word met ’n klein marge gekoop, dus bring klein prysveranderinge groot winste en verliese.",
      "Posisies word elke dag herwaardeer. ’n Verlies word dadelik uit my termynbeursie geneem, en ek moet die marge aanvul wanneer dit gevra word.",
      "Wanneer die marge onder die instandhoudingsvlak daal, sluit die makelaar posisies. In ’n vinnige mark kan dit ver van die laaste prys gebeur.",
      "Ek kan meer as my marge verloor, en skuld die verskil.",
      "Kontrakte verval. By verval word hulle in kontant teen die finale vereffeningsprys vereffen.",
    ],
  },
  options: {
    title: "Risikokennisgewing en ooreenkoms vir opsies",
    points: [
      "Die koper van ’n opsie kan die hele premie verloor; die meeste opsies verval sonder waarde.",
      "Die verkoper van ’n opsie ontvang ’n premie en neem ’n risiko wat baie keer so groot kan wees, sonder boonste grens vir ongedekte koopopsies.",
      "Om opsies te verkoop vereis marge, wat met die mark styg en enige tyd opgevra kan word.",
      "Opsies met waarde word by verval outomaties uitgeoefen.",
    ],
  },
  loan: {
    title: "Kredietleningsooreenkoms",
    points: [
      "Die makelaar leen my ’n bedrag tot my limiet, vir die termyn en teen die daaglikse koers wat gewys word voor ek dit trek.",
      "Rente loop elke dag op die uitstaande bedrag op (werklike dae oor 365). Betalings dek eers die rente.",
      "Die verskuldigde bedrag word op die vervaldag van my rekening afgetrek. Is die saldo te min, is die lening agterstallig en daal my kredietpunt.",
      "Totdat die lening terugbetaal is, kan ek nie kontant onttrek nie. Geleende geld is geen sekuriteit vir marge, termynkontrakte of hefboom nie.",
      "Ek mag vroeg terugbetaal, ten volle of gedeeltelik, sonder fooi.",
    ],
  },
  copy: {
    title: "Ooreenkoms vir kopiehandel",
    points: [
      "My rekening kopieer die orders van ’n handelaar wat ek kies, in verhouding tot die bedrag wat ek opsy sit.",
      "Vorige resultate voorspel nie die toekoms nie. My uitvoerings kan in prys, grootte en tyd verskil.",
      "Die handelaar is nie my adviseur nie en ken nie my omstandighede nie. Die besluit om te volg is myne.",
      "Niks word aan die handelaar betaal nie. By die verlies of sperdatum wat ek stel, of wanneer die handelaar verwyder word, word wat gekopieer is teen markprys verkoop; wanneer ek stop, word dit verkoop of bly dit myne om te sluit, soos ek kies.",
    ],
  },
  crypto: {
    title: "Risikokennisgewing vir kripto",
    points: [
      "Ek verhandel kripto in die makelaar se gesimuleerde mark. Dit is nie ’n effek nie: geen wet beskerm dit as een nie, en niemand waarborg die prys of dat dit verkoop kan word nie.",
      "Die prys het geen daaglikse perk nie en beweeg te alle ure, ook snags en op vakansiedae. Ek kan alles verloor wat ek betaal.",
      "Ek betaal ten volle. Niks word geleen nie, niks word kort verkoop nie, en geen hefboom word aangebied nie.",
      "Die fooi word by koop en by verkoop gehef, met ’n minimum vir elke opdrag, en word gewys voordat ek bevestig. ’n Waarde tussen twee sent word teen my afgerond, met minder as een sent per uitvoering.",
    ],
  },
  subscription: {
    title: "Ooreenkoms vir inskrywings en veilings",
    points: [
      "Ek skryf in op of bie vir nuwe aandele, effekte of fondse volgens die voorwaardes van elke aanbod, wat ek vooraf lees.",
      "Toekenning is deur loting of prys en kan minder wees as wat ek gevra het, of niks.",
      "Wat aan my toegeken is, moet voor die sperdatum betaal word. Andersins verbeur ek die toekenning en die deposito, en daal my kredietpunt.",
      "Na notering kan die prys onder die inskrywingsprys wees.",
    ],
  },
  privacy: {
    title: "Privaatheidskennisgewing en toestemming",
    points: [
      "Ons versamel wat ’n rekening nodig het: naam, ID-nommer, geboortedatum, selfoonnommer, foto’s van die ID-kaart, bankkaarte, orders, betalings, boodskappe, toestelle en adresse van aanmeldings.",
      "Ons gebruik dit om u rekening te bestuur, die pligte van ’n makelaar na te kom en u teen misbruik te beskerm. Ons verkoop dit nie en wys dit net aan u en ons operateurs, wie se toegang aangeteken word.",
      "Identiteitsrekords en ooreenkomste word vyf jaar na sluiting van die rekening bewaar, orders en grootboekinskrywings tien jaar. Foto’s word binne dae na die hersiening uitgevee.",
      "Onder 14 is ’n voog se toestemming nodig.",
      "U kan u data onder Privaatheid sien, alles uitvoer, regstel en vra dat dit uitgewis word. Wat die wet ons laat bewaar, word uitgewis wanneer sy tyd verby is.",
    ],
  },
};
