/** Well-known listed securities outside electronics: `code|zh|en|price at the anchor date|issued shares, millions` under `#industry`. */
export const LISTED_KNOWN = `
#01
1101|台泥|Taiwan Cement|24.5|7533
1102|亞泥|Asia Cement|40.8|3546
1103|嘉泥|Chia Hsin Cement|16.6|647
1104|環泥|Universal Cement|30.2|685
1108|幸福|Lucky Cement|15.9|405
1109|信大|Hsing Ta Cement|17.2|342
1110|東泥|Southeast Cement|18.4|572
#02
1201|味全|Wei Chuan Foods|17.5|506
1210|大成|Great Wall Enterprise|52.4|894
1215|卜蜂|Charoen Pokphand Taiwan|105|295
1216|統一|Uni-President|76.8|5682
1217|愛之味|AGV Products|11.4|494
1227|佳格|Standard Foods|36.5|909
1229|聯華|Lien Hwa Industrial|56.3|1770
1232|大統益|TTET Union|148|160
1234|黑松|HeySong|40.2|402
1702|南僑|Namchow|45.6|294
1737|臺鹽|Taiyen Biotech|32.8|200
#03
1301|台塑|Formosa Plastics|42.6|6366
1303|南亞|Nan Ya Plastics|36.2|7931
1304|台聚|USI Corporation|12.3|1189
1308|亞聚|Asia Polymer|13.6|594
1312|國喬|Grand Pacific|11.8|1126
1314|中石化|China Petrochemical|8.52|3792
1326|台化|Formosa Chemicals|28.9|5861
#04
1402|遠東新|Far Eastern New Century|31.6|5353
1409|新纖|Shinkong Synthetic|14.7|1618
1434|福懋|Formosa Taffeta|19.8|1685
1440|南紡|Tainan Spinning|15.2|1657
1444|力麗|Lealea Enterprise|7.85|968
1451|年興|Nien Hsing Textile|19.3|198
1476|儒鴻|Eclat Textile|482|274
1477|聚陽|Makalot|305|247
#05
1503|士電|Shihlin Electric|176|521
1504|東元|Teco|58.4|2139
1513|中興電|Chung-Hsin Electric|152|495
1514|亞力|Allis Electric|98.5|290
1519|華城|Fortune Electric|598|287
1560|中砂|Kinik|326|146
1590|亞德客-KY|AirTAC|865|200
1597|直得|Chieftek|118|91
2049|上銀|Hiwin|238|354
2371|大同|Tatung|42.9|2140
4526|東台|Tongtai Machine|28.4|255
#06
1603|華電|Hwacom Cable|22.6|158
1604|聲寶|Sampo|26.3|365
1605|華新|Walsin Lihwa|25.8|4031
1608|華榮|Hua Eng Wire|30.4|632
1609|大亞|Ta Ya Electric|36.2|796
1612|宏泰|Hong Tai Electric|29.7|317
1618|合機|Hold-Key Electric|42.8|196
#08
1802|台玻|Taiwan Glass|18.9|2908
1806|冠軍|Champion Building|10.8|386
1810|和成|HCG|17.6|369
#09
1903|士紙|Shihlin Paper|48.6|260
1904|正隆|Cheng Loong|21.4|1108
1905|華紙|Chung Hwa Pulp|15.3|1103
1906|寶隆|Baolong International|14.2|108
1907|永豐餘|Yuen Foong Yu|27.4|1660
1909|榮成|Longchen Paper|12.6|1358
6790|永豐實|Yuen Foong Yu Consumer|46.8|267
#10
2002|中鋼|China Steel|20.6|15735
2006|東和鋼鐵|Tung Ho Steel|68.5|730
2014|中鴻|Chung Hung Steel|17.9|1436
2015|豐興|Feng Hsin Steel|67.2|582
2027|大成鋼|Ta Chen Stainless|33.6|2053
2031|新光鋼|Hsin Kuang Steel|52.1|321
9958|世紀鋼|Century Iron and Steel|168|258
#11
2101|南港|Nankang Rubber|46.2|834
2102|泰豐|Federal Tire|18.7|477
2103|台橡|TSRC|19.8|826
2105|正新|Cheng Shin Rubber|48.6|3241
2106|建大|Kenda Rubber|24.9|1003
2108|南帝|Nantex|31.6|492
#12
1536|和大|Hota Industrial|58.9|280
1319|東陽|Tong Yang|102|591
1521|大億|Ta Yih|27.8|76
2201|裕隆|Yulon Motor|42.3|1061
2204|中華|China Motor|66.5|554
2206|三陽工業|Sanyang Motor|70.9|798
2207|和泰車|Hotai Motor|622|557
2227|裕日車|Yulon Nissan|92.4|300
2231|為升|Cub Elecparts|118|134
#14
2501|國建|Cathay Real Estate|21.3|1159
2504|國產|Goldsun|45.6|1180
2515|中工|BES Engineering|12.4|1531
2520|冠德|Kindom|47.8|554
2542|興富發|Highwealth|44.2|2001
2545|皇翔|Huang Hsiang|46.9|326
2548|華固|Huaku|112|277
2597|潤弘|Ruentex Engineering|156|185
5522|遠雄|Farglory Land|71.3|782
5534|長虹|Chong Hong|84.6|290
9946|三發地產|San Far Property|22.5|338
#15
2603|長榮|Evergreen Marine|206|2165
2605|新興|Sincere Navigation|22.8|585
2606|裕民|U-Ming Marine|58.2|845
2609|陽明|Yang Ming Marine|66.4|3492
2610|華航|China Airlines|22.6|6054
2615|萬海|Wan Hai Lines|84.3|2806
2618|長榮航|EVA Air|40.7|5401
2633|台灣高鐵|Taiwan High Speed Rail|28.2|5628
2634|漢翔|AIDC|55.6|945
2637|慧洋-KY|Wisdom Marine|64.9|746
2646|星宇航空|Starlux Airlines|25.8|2990
6757|台灣虎航|Tigerair Taiwan|66.3|452
#16
2702|華園|Hotel Holiday Garden|16.3|112
2704|國賓|Ambassador Hotel|46.8|367
2707|晶華|Formosa International Hotels|192|127
2723|美食-KY|Gourmet Master|84.5|180
2727|王品|Wowprime|228|84
2731|雄獅|Lion Travel|148|93
2753|八方雲集|Bafang Yunji|212|67
9943|好樂迪|Holiday Entertainment|79.3|134
#17
2801|彰銀|Chang Hwa Bank|18.9|11190
2812|台中銀|Taichung Bank|19.6|5700
2834|臺企銀|Taiwan Business Bank|15.8|8940
2838|聯邦銀|Union Bank|17.2|4110
2845|遠東銀|Far Eastern International Bank|13.4|4290
2855|統一證|President Securities|25.6|1456
2867|三商壽|Mercuries Life|6.38|5660
2880|華南金|Hua Nan Financial|27.4|13920
2881|富邦金|Fubon Financial|88.3|13690
2882|國泰金|Cathay Financial|64.2|14670
2883|凱基金|KGI Financial|16.9|16860
2884|玉山金|E.SUN Financial|30.6|16170
2885|元大金|Yuanta Financial|33.8|12930
2886|兆豐金|Mega Financial|40.9|14870
2887|台新新光金|TS Financial|17.8|24800
2889|國票金|Waterland Financial|14.6|3660
2890|永豐金|SinoPac Financial|24.6|12560
2891|中信金|CTBC Financial|43.2|19610
2892|第一金|First Financial|28.7|14080
2897|王道銀行|O-Bank|9.76|3050
5876|上海商銀|Shanghai Commercial Bank|42.6|4860
5880|合庫金|Taiwan Cooperative Financial|24.9|15690
6005|群益證|Capital Securities|22.7|2170
#18
2601|益航|First Steamship|7.92|905
2903|遠百|Far Eastern Department Stores|24.2|1417
2905|三商|Mercuries|15.3|1080
2908|特力|Test Rite|19.8|510
2912|統一超|President Chain Store|262|1040
2915|潤泰全|Ruentex Industries|67.8|1117
2945|三商家購|Mercuries Retail|43.5|72
#20
1416|廣豐|Kwong Fong Industries|12.7|186
2514|龍邦|Long Bon|18.6|589
5871|中租-KY|Chailease|118|1690
6464|台數科|Taiwan Digital Cable|87.2|147
6592|和潤企業|Hotai Finance|78.6|620
9907|統一實|Ton Yi Industrial|17.3|1579
9917|中保科|Taiwan Secom|118|451
9933|中鼎|CTCI|38.6|804
9938|百和|Paiho|54.2|298
9941|裕融|Yulon Finance|108|591
9945|潤泰新|Ruentex Development|33.4|2838
#21
1710|東聯|Oriental Union|13.7|886
1711|永光|Everlight Chemical|21.9|548
1717|長興|Eternal Materials|32.8|1178
1722|台肥|Taiwan Fertilizer|52.6|980
1723|中碳|China Steel Chemical|92.5|237
1727|中華化|Chung Hwa Chemical|33.4|121
4763|材料*-KY|Jinan Acetate|42.5|665
4766|南寶|Nan Pao Resins|392|121
#22
1707|葡萄王|Grape King Bio|136|148
1720|生達|Standard Chem|72.3|179
1789|神隆|ScinoPharm|19.6|791
1795|美時|Lotus Pharmaceutical|246|263
4104|佳醫|Excelsior Medical|89.6|162
4736|泰博|TaiDoc|132|94
6446|藥華藥|PharmaEssentia|578|340
6472|保瑞|Bora Pharmaceuticals|742|123
6491|晶碩|Pegavision|396|78
6589|台康生技|EirGenix|72.4|307
6919|康霈*|Caliway Biopharmaceuticals|118|624
#23
6505|台塑化|Formosa Petrochemical|44.6|9526
8926|台汽電|Taiwan Cogeneration|46.3|728
9908|大台北|Great Taipei Gas|31.2|516
9918|欣天然|Shin Shin Natural Gas|41.5|193
9926|新海|Shin Hai Gas|51.4|194
9931|欣高|Hsin Kao Gas|38.6|126
9937|全國|National Petroleum|62.8|310
#35
6806|森崴能源|Shinfox Energy|58.4|228
6869|雲豹能源|J&V Energy|132|127
6873|泓德能源|HD Renewable Energy|186|111
8341|日友|Sunny Friend|92.6|135
8422|可寧衛*|Cleanaway|198|109
9930|中聯資源|CHC Resources|68.4|249
#36
3130|一零四|104 Corporation|212|33
6689|伊雲谷|eCloudvalley|82.4|71
6906|現觀科|Groundhog Technologies|132|26
7722|LINEPAY|LINE Pay Taiwan|428|69
7765|中華資安|CHT Security|246|41
8454|富邦媒|momo.com|258|264
#37
1736|喬山|Johnson Health Tech|142|304
4536|拓凱|Topkey|186|91
5306|桂盟|KMC|112|126
6890|來億-KY|Lai Yih Footwear|312|249
9802|鈺齊-KY|Fulgent Sun|108|191
9904|寶成|Pou Chen|31.8|2947
9910|豐泰|Feng Tay|118|987
9914|美利達|Merida|142|299
9921|巨大|Giant|132|392
#38
8464|億豐|Nien Made|386|293
9911|櫻花|Taiwan Sakura|88.6|219
9924|福興|Taiwan Fu Hsing|49.8|188
9934|成霖|Globe Union|14.8|402
9935|慶豐富|Ching Feng Home Fashions|24.6|178
`;
