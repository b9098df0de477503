/** The agreements in isiZulu; the binding text is that in Traditional Chinese. */
import type { AgreementTexts } from "./shape.ts";

export const zu: AgreementTexts = {
  general: [
    "Le yindawo yokuzijwayeza. Amanani ayalingiswa futhi akukho mali yangempela ehambayo; lesi sivumelwano sibonisa lokho umthengisi-milayelo waseTaiwan angakucela ukuthi ukusayine.",
    "Umbhalo ongesiShayina Sendabuko yiwona obophayo. Ezinye izilimi zingukuhumusha kokukusiza.",
    "Sigcina lo mbhalo, isigxivizo sawo somunwe (SHA-256), isiginesha yakho, isikhathi neseshini njengobufakazi iminyaka emihlanu ngemva kokuvalwa kwe-akhawunti yakho.",
    "Ungasiqeda lesi sivumelwano noma nini ngosizo lwamakhasimende. Izibopho ezikhona ngaleso sikhathi zihlala zize zifezwe.",
  ],
  dayTrading: {
    title: "Isaziso sobungozi nesivumelwano sokuhweba kosuku olulodwa",
    points: [
      "Ukuhweba kosuku kuvulwa kuvalwe ngosuku olufanayo, kungaqalwa ngokuthenga noma ngokuthengisa.",
      "Lokho engikushiya kuvuliwe kuvalwa umthengisi-milayelo ngenani lemakethe ngaphambi kokuvala. Umphumela nezindleko ngezami.",
      "Uma ukuthengisa okufushane kungenakuvalwa ngalo lolo suku, amasheya kumele abolekwe noma athengwe ezinsukwini ezilandelayo; izindleko zingaphindaphinda umehluko wenani.",
      "Ukulahlekelwa kungenzeka ngemizuzu, kungadlula lokho ebengikuhlelile, futhi kukhokhwa nge-akhawunti yami. Ngiyakweleta okusele.",
      "Umthengisi-milayelo uyangixwayisa lapho ukulahlekelwa kufika ezingeni engilibekayo, futhi angamisa ukuhweba kosuku uma ngingakhokhi.",
    ],
  },
  margin: {
    title: "Isivumelwano se-akhawunti yemajini",
    points: [
      "Umthengisi-milayelo ungiboleka imali yokuthenga, noma amasheya okuthengisa, ngesibambiso, ngamanani nezilinganiso ezisemithethweni yokuhweba.",
      "Inzalo nezimali zokuboleka zikhula nsuku zonke futhi zikhokhwa lapho isikhundla sivalwa.",
      "Lapho inani lesibambiso sami lehla ngaphansi kwesilinganiso, ngithola isicelo semajini. Uma ngingasifezi ngesikhathi, umthengisi-milayelo uvala izikhundla ngaphandle kwesinye isaziso.",
      "Ngingalahlekelwa okungaphezu kwalokho engikufakile, futhi ngikweleta lokho ukuthengiswa kwesibambiso okungakukhokhi.",
      "Izenzo zenkampani nemihlangano ingangiphoqa ukuthi ngivale noma ngibuyisele amasheya abolekiwe kusenesikhathi.",
    ],
  },
  lending: {
    title: "Isivumelwano sokubolekisa ngamasheya",
    points: [
      "Ngibolekisa ngamasheya ami ngomthengisi-milayelo ngemali. Ngesikhathi sokubolekisa awakwazi ukuthengiswa noma ukukhishwa.",
      "Umboleki ungikhokhela izabelo namalungelo; angikwazi ukuvota ngamasheya abolekisiwe.",
      "Umthengisi-milayelo uphethe isibambiso somboleki. Uma umboleki ehluleka, ngithola imali elingana nenani lamasheya, engahluka kwebengilindele.",
      "Ngingacela ukubuyiselwa amasheya ami. Kuthatha izinsuku ezibhalwe ekubolekweni.",
    ],
  },
  futures: {
    title: "Isaziso sobungozi nesivumelwano samafyutsha",
    points: [
      "Inkontileka yefyutsha ithengwa ngemajini encane, ngakho izinguquko ezincane zenani ziletha inzuzo nokulahlekelwa okukhulu.",
      "Izikhundla zilinganiswa kabusha nsuku zonke. Ukulahlekelwa kususwa ngokushesha ewolethini yami yamafyutsha, futhi kumele ngigcwalise imajini uma ngicelwa.",
      "Lapho imajini yehla ngaphansi kwezinga, umthengisi-milayelo uvala izikhundla. Emakethe esheshayo lokhu kungenzeka ngenani elikude nelokugcina.",
      "Ngingalahlekelwa okungaphezu kwemajini yami, futhi ngikweleta umehluko.",
      "Izinkontileka ziphelelwa isikhathi. Ekupheleni zikhokhwa ngemali ngenani lokugcina lokukhokha.",
    ],
  },
  options: {
    title: "Isaziso sobungozi nesivumelwano sama-opshini",
    points: [
      "Umthengi we-opshini angalahlekelwa yiphrimiyamu yonke; ama-opshini amaningi aphela engenanani.",
      "Umthengisi we-opshini uthola iphrimiyamu futhi athathe ubungozi obungaphindaphindwa kaningi, obungenamkhawulo kuma-call angavaliwe.",
      "Ukuthengisa ama-opshini kudinga imajini, ekhula nemakethe futhi engacelwa noma nini.",
      "Ama-opshini anenani asetshenziswa ngokuzenzakalela ekupheleni.",
    ],
  },
  loan: {
    title: "Isivumelwano semalimboleko yekhredithi",
    points: [
      "Umthengisi-milayelo ungiboleka imali efika emkhawulweni wami, ngesikhathi nangenani losuku eliboniswa ngaphambi kokuyithatha.",
      "Inzalo ikhula nsuku zonke emalini esasele (izinsuku zangempela ngo-365). Izinkokhelo ziqala ngenzalo.",
      "Imali ekweletwayo isuswa ku-akhawunti yami ngosuku lokukhokha. Uma ibhalansi inganele, imalimboleko isidlulelwe isikhathi futhi amaphuzu ami ekhredithi ayehla.",
      "Kuze kukhokhwe imalimboleko, angikwazi ukukhipha ukheshi. Imali ebolekiwe ayisona isibambiso semajini, samafyutsha noma se-leverage.",
      "Ngingakhokha kusenesikhathi, konke noma ingxenye, ngaphandle kwemali eyengeziwe.",
    ],
  },
  copy: {
    title: "Isivumelwano sokukopisha ukuhweba",
    points: [
      "I-akhawunti yami ikopisha imiyalelo yomhwebi engimkhethayo, ngokwesilinganiso semali engiyibekayo.",
      "Imiphumela yangaphambili ayibikezeli ikusasa. Ukugcwaliswa kwami kungahluka ngenani, ubungako nesikhathi.",
      "Umhwebi akayena umeluleki wami futhi akasazi isimo sami. Isinqumo sokulandela ngesami.",
      "Umhwebi akakhokhelwa lutho. Ekulahlekelweni noma emnqamulajuqwini engiwubekile, noma uma umhwebi esusiwe, okukopishiwe kuthengiswa ngenani lemakethe; uma ngiyeka, kuyathengiswa noma kuhlala kungokwami, njengoba ngikhetha.",
    ],
  },
  crypto: {
    title: "Isaziso sobungozi be-crypto",
    points: [
      "Ngihweba nge-crypto emakethe yokulingisa yomthengisi. Ayiyona isibambiso: awukho umthetho oyivikela njengaso, futhi akekho oqinisekisa inani layo noma ukuthi ingathengiswa.",
      "Inani layo alinamkhawulo wosuku futhi linyakaza ngawo wonke amahora, nasebusuku nangamaholide. Ngingalahlekelwa yikho konke engikukhokhayo.",
      "Ngikhokha ngokugcwele. Akukho okubolekiswayo, akukho okuthengiswa ngaphambi kokuba nakho, futhi akukho lokhuphulwa kwesilinganiso okunikezwayo.",
      "Imali yesevisi ikhokhwa uma kuthengwa nalapho kuthengiswa, nobuncane bayo nge-oda ngalinye, futhi iboniswa ngaphambi kokuba ngiqinisekise. Inani eliphakathi kwamasenti amabili liyalinganiselwa ngokumelene nami, ngaphansi kwesenti elilodwa ngokugcwaliswa ngakunye.",
    ],
  },
  subscription: {
    title: "Isivumelwano sokubhalisela nokubhida",
    points: [
      "Ngibhalisela noma ngibhida amasheya amasha, amabhondi noma izikhwama ngemibandela yesipho ngasinye, engiyifunda kuqala.",
      "Ukwabiwa kungenkatho noma ngenani futhi kungaba ngaphansi kwalokho engikucelile, noma kungabi lutho.",
      "Lokho engikwabelwe kumele kukhokhwe ngaphambi komnqamulajuqu. Uma kungenjalo ngilahlekelwa isabelo nediphozi, namaphuzu ami ekhredithi ayehla.",
      "Ngemva kokufakwa ohlwini inani lingaba ngaphansi kwelokubhalisela.",
    ],
  },
  privacy: {
    title: "Isaziso sobumfihlo nemvume",
    points: [
      "Siqoqa lokho i-akhawunti ekudingayo: igama, inombolo kamazisi, usuku lokuzalwa, inombolo yeselula, izithombe zikamazisi, amakhadi ebhange, imiyalelo, izinkokhelo, imilayezo, amadivayisi namakheli okungena.",
      "Sikusebenzisela ukuphatha i-akhawunti yakho, ukufeza imisebenzi yomthengisi-milayelo nokukuvikela. Asikuthengisi, futhi kubonwa nguwe nabasebenzi bethu kuphela, abafinyelela kurekhodwa.",
      "Amarekhodi kamazisi nezivumelwano kugcinwa iminyaka emihlanu ngemva kokuvalwa kwe-akhawunti, imiyalelo nezincwadi zezimali iminyaka eyishumi. Izithombe zisuswa ngezinsuku ngemva kokubuyekezwa.",
      "Ngaphansi kweminyaka engu-14 kudingeka imvume yomnakekeli.",
      "Ungabona idatha yakho, uyikhiphe yonke, uyilungise, futhi ucele ukuthi isulwe ngaphansi kokuthi Ubumfihlo. Lokho umthetho othi sikugcine kusulwa lapho isikhathi sakho siphela.",
    ],
  },
};
