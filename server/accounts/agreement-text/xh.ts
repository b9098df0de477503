/** The agreements in isiXhosa; the binding text is that in Traditional Chinese. */
import type { AgreementTexts } from "./shape.ts";

export const xh: AgreementTexts = {
  general: [
    "Le yindawo yokuziqhelanisa. Amaxabiso ayalinganiswa kwaye akukho mali yokwenyani ihambayo; esi sivumelwano sibonisa oko umthengisi waseTaiwan angacela ukuba ukutyikitye.",
    "Umbhalo ongesiTshayina Semveli ngowona ubophelelayo. Ezinye iilwimi ziziinguqulelo zokukunceda.",
    "Siwugcina lo mbhalo, umnwe wawo (SHA-256), utyikityo lwakho, ixesha neseshoni njengobungqina iminyaka emihlanu emva kokuvalwa kweakhawunti yakho.",
    "Ungasiphelisa esi sivumelwano nangaliphi na ixesha ngenkonzo yabathengi. Iimbopheleleko ezikhoyo ngelo xesha zihlala de zizaliseke.",
  ],
  dayTrading: {
    title: "Isaziso somngcipheko nesivumelwano sorhwebo lomhla omnye",
    points: [
      "Urhwebo lomhla luvulwa luvalwe ngomhla omnye, ngokuthenga okanye ngokuthengisa kuqala.",
      "Oko ndikushiya kuvuliwe kuvalwa ngumthengisi ngexabiso lemarike ngaphambi kokuvala. Isiphumo neendleko zezam.",
      "Ukuba ukuthengisa okufutshane akunakugqunywa ngaloo mhla, izabelo kufuneka zibolekwe okanye zithengwe kwiintsuku ezilandelayo; iindleko zinokuphindaphinda umahluko wexabiso.",
      "Ilahleko inokwenzeka ngemizuzu, inokudlula oko bendikucebile, kwaye ihlawulwa ngeakhawunti yam. Ndityala okuseleyo.",
      "Umthengisi uyandilumkisa xa ilahleko ifikelela kwinqanaba endilibekayo, kwaye angalunqumamisa urhwebo lomhla ukuba andihlawuli.",
    ],
  },
  margin: {
    title: "Isivumelwano seakhawunti yemajini",
    points: [
      "Umthengisi undiboleka imali yokuthenga, okanye izabelo zokuthengisa, ngesibambiso, ngamaxabiso nemilinganiselo ekwimithetho yorhwebo.",
      "Inzala neentlawulo zokuboleka zikhula yonke imihla kwaye zihlawulwa xa indawo ivalwa.",
      "Xa ixabiso lesibambiso sam lisihla ngaphantsi komlinganiselo, ndifumana isicelo semajini. Ukuba andisihlangabezi ngexesha, umthengisi uvala iindawo ngaphandle kwesinye isaziso.",
      "Ndingalahlekelwa ngaphezu koko ndikufakileyo, kwaye ndityala umthengisi oko ukuthengiswa kwesibambiso kungakuhlawuliyo.",
      "Izenzo zenkampani neentlanganiso zinokundinyanzela ukuba ndivale okanye ndibuyisele izabelo ezibolekiweyo kwangaphambili.",
    ],
  },
  lending: {
    title: "Isivumelwano sokubolekisa ngezabelo",
    points: [
      "Ndibolekisa ngezabelo zam ngomthengisi ngentlawulo. Ngexesha lokubolekisa azinakuthengiswa okanye zikhutshwe.",
      "Umboleki undihlawula izahlulo namalungelo; andinakuvota ngezabelo ezibolekisiweyo.",
      "Umthengisi uphethe isibambiso somboleki. Ukuba umboleki uyasilela, ndifumana imali elingana nexabiso lezabelo, enokwahluka koko bendikulindele.",
      "Ndingacela ukubuyiselwa izabelo zam. Kuthatha iintsuku ezibhalwe kwimboleko.",
    ],
  },
  futures: {
    title: "Isaziso somngcipheko nesivumelwano seefyutsha",
    points: [
      "Ikhontrakthi yefyutsha ithengwa ngemajini encinci, ngoko utshintsho oluncinci lwexabiso luzisa inzuzo nelahleko enkulu.",
      "Iindawo zilinganiswa kwakhona yonke imihla. Ilahleko isuswa kwangoko kwiwolethi yam yeefyutsha, kwaye kufuneka ndizalise imajini xa ndicelwa.",
      "Xa imajini isihla ngaphantsi kwenqanaba, umthengisi uvala iindawo. Kwimarike ekhawulezayo oku kunokwenzeka ngexabiso elikude kwelokugqibela.",
      "Ndingalahlekelwa ngaphezu kwemajini yam, kwaye ndityala umahluko.",
      "Iikhontrakthi ziyaphelelwa. Ekupheleni zihlawulwa ngemali ngexabiso lokugqibela.",
    ],
  },
  options: {
    title: "Isaziso somngcipheko nesivumelwano seeopshini",
    points: [
      "Umthengi weopshini angalahlekelwa yiprimiyamu yonke; uninzi lweeopshini luphelelwa lungenaxabiso.",
      "Umthengisi weopshini ufumana iprimiyamu aze athathe umngcipheko onokuphindaphindwa kaninzi, ongenamda kwiicall ezingagqunywanga.",
      "Ukuthengisa iiopshini kufuna imajini, ekhula nemarike kwaye inokucelwa nanini na.",
      "Iiopshini ezinexabiso zisetyenziswa ngokuzenzekelayo ekupheleni.",
    ],
  },
  loan: {
    title: "Isivumelwano semali-mboleko yekhredithi",
    points: [
      "Umthengisi undiboleka imali ukuya kumda wam, ngexesha nangomlinganiselo wemihla ngemihla oboniswa ngaphambi kokuba ndiyithathe.",
      "Inzala ikhula yonke imihla kwimali eseleyo (iintsuku zokwenyani ngo-365). Iintlawulo ziqala ngenzala.",
      "Imali etyalwayo isuswa kwiakhawunti yam ngomhla wokuhlawula. Ukuba ibhalansi ayanelanga, imali-mboleko isemva kwexesha kwaye amanqaku am ekhredithi ayehla.",
      "Ide ihlawulwe imali-mboleko, andinakukhupha mali. Imali ebolekiweyo ayisosibambiso semajini, seefyutsha okanye seleverage.",
      "Ndingahlawula kwangethuba, yonke okanye inxenye, ngaphandle kwentlawulo.",
    ],
  },
  copy: {
    title: "Isivumelwano sokukopa urhwebo",
    points: [
      "Iakhawunti yam ikopa imiyalelo yomrhwebi endimkhethayo, ngokomlinganiselo wemali endiyibekayo.",
      "Iziphumo zangaphambili azixeli ikamva. Ukuzaliseka kwam kunokwahluka ngexabiso, ubungakanani nexesha.",
      "Umrhwebi akangomcebisi wam kwaye akazazi iimeko zam. Isigqibo sokulandela sesam.",
      "Umrhwebi akahlawulwa nto. Kwilahleko okanye kumhla wokugqibela endiwubekileyo, okanye xa umrhwebi esusiwe, okukotshiweyo kuthengiswa ngexabiso lemarike; xa ndiyeka, kuyathengiswa okanye kuhlala kukokwam, njengoko ndikhetha.",
    ],
  },
  crypto: {
    title: "Isaziso somngcipheko we-crypto",
    points: [
      "Ndirhweba nge-crypto kwimarike yokulinganisa yomthengisi. Ayisosikhuselo semali: akukho mthetho uyikhuselayo njengaso, kwaye akukho mntu uqinisekisa ixabiso layo okanye ukuba ingathengiswa.",
      "Ixabiso layo alinamda wosuku kwaye lishukuma ngawo onke amaxesha, nasebusuku nangeeholide. Ndingalahlekelwa yiyo yonke into endiyihlawulayo.",
      "Ndihlawula ngokupheleleyo. Akukho nto ibolekiswayo, akukho nto ithengiswa ngaphambi kokuba nayo, kwaye akukho kunyuswa komlinganiselo okunikezelwayo.",
      "Umrhumo uhlawulwa xa kuthengwa naxa kuthengiswa, nobuncinane bawo ngeodolo nganye, kwaye uboniswa phambi kokuba ndiqinisekise. Ixabiso eliphakathi kweesenti ezimbini lisondezwa ngokuchasene nam, ngaphantsi kwesenti enye ngozaliseko ngalunye.",
    ],
  },
  subscription: {
    title: "Isivumelwano sokubhalisela nefandesi",
    points: [
      "Ndibhalisela okanye ndibhida izabelo ezitsha, iibhondi okanye iingxowa-mali ngemiqathango yesibonelelo ngasinye, endiyifunda kuqala.",
      "Ulwabiwo luba ngeqashiso okanye ngexabiso kwaye lunokuba ngaphantsi koko ndikucelileyo, okanye lungabi nto.",
      "Oko ndikwabelweyo kufuneka kuhlawulwe ngaphambi komhla obekiweyo. Kungenjalo ndilahlekelwa sisabelo nediphozithi, namanqaku am ekhredithi ayehla.",
      "Emva kokudweliswa ixabiso linokuba ngaphantsi kwelokubhalisela.",
    ],
  },
  privacy: {
    title: "Isaziso sabucala nemvume",
    points: [
      "Siqokelela oko iakhawunti ikufunayo: igama, inombolo yesazisi, umhla wokuzalwa, inombolo yeselula, iifoto zesazisi, amakhadi ebhanki, imiyalelo, iintlawulo, imiyalezo, izixhobo needilesi zokungena.",
      "Sikusebenzisela ukuqhuba iakhawunti yakho, ukuzalisekisa imisebenzi yomthengisi nokukukhusela. Asikuthengisi, kwaye kubonwa nguwe nabasebenzi bethu kuphela, abafikelelo lwabo lubhalwayo.",
      "Iirekhodi zesazisi nezivumelwano zigcinwa iminyaka emihlanu emva kokuvalwa kweakhawunti, imiyalelo neencwadi zemali iminyaka elishumi. Iifoto zicinywa kwiintsuku emva kohlolo.",
      "Ngaphantsi kweminyaka eli-14 kufuneka imvume yomgcini.",
      "Ungayibona idatha yakho, uyithathe yonke, uyilungise, kwaye ucele ukuba icinywe phantsi kwelithi Ubucala. Oko umthetho usithi sikugcine kucinywa xa ixesha lako liphelile.",
    ],
  },
};
